@testable import RemoteAccounts

@Suite("Texts and authors from FreshRSS") struct FreshRSSTextTests {
  @Test(
    "Full-width forms that FreshRSS makes of symbols are converted back",
    arguments: [
      ("Beta ＆ co", "Beta & co"), ("a ＜b＞ c", "a <b> c"), ("TCP／IP", "TCP/IP"),
      ("Q＆A： why？", "Q&A： why？"), ("What， me？", "What, me?"), ("＆", "&"),
      ("R＆D und Ä／Ö", "R&D und Ä/Ö"),
    ])
  func turnedBack(text: String, plain: String) {
    #expect(FreshRSSText.unescaped(text) == plain)
  }

  @Test(
    "Full-width characters of Chinese, Japanese and Korean text stay",
    arguments: [
      "東京／大阪", "ロック＆ロール", "你好，世界", "用 iPhone？", "한국＆일본", "Ａ＆Ｂ", "＜重要＞お知らせ",
      // Nothing was escaped in these.
      "A ＆ B & C", "plain",
    ])
  func stays(text: String) {
    #expect(FreshRSSText.unescaped(text) == text)
  }

  @Test("Latin text within a Japanese title is converted back") func mixed() {
    #expect(FreshRSSText.unescaped("新しい R＆D 部門") == "新しい R&D 部門")
  }

  @Test(
    "An author who is named twice is listed once",
    arguments: [
      ("Ann; Ann", "Ann"), ("; Ann Author;ann author", "Ann Author"), ("Ann, Ann", "Ann"),
      ("Ann, Bob, Ann, Bob", "Ann, Bob"), ("Smith, John, Smith, Jane", "Smith, John, Smith, Jane"),
      ("Ann; Bob", "Ann; Bob"), ("Ann", "Ann"),
    ])
  func authors(text: String, once: String) {
    #expect(RemoteAuthors.once(text) == once)
  }

  @Test("A text without an author gives none") func noAuthor() {
    #expect(RemoteAuthors.once(" ; ") == nil)
    #expect(RemoteAuthors.once("") == nil)
  }
}
