/// Words of one script, for titles and paragraphs.
struct CorpusScript: Sendable {
  var vocabulary: [String]
  /// The text between words; empty if the script has no spaces.
  var separator: String

  func words(_ count: Int, _ random: inout CorpusRandom) -> String {
    (0..<count).map { _ in vocabulary[random.below(vocabulary.count)] }
      .joined(separator: separator)
  }

  private init(_ text: String, separator: String = " ") {
    vocabulary = text.split(separator: " ").map(String.init)
    self.separator = separator
  }

  static let all: [CorpusScript] = [
    CorpusScript(
      "the river a weir measures stream and pool of water under stone bridge morning reader "
        + "letter line quiet sync cache engine window column margin paper ink over green slow"),
    CorpusScript("über Straße größer Fluß Wehr Mühle schön Öl täglich Grüße weiß süß Maß Jäger"),
    CorpusScript("río señal mañana niño corazón año también después canción información está"),
    CorpusScript("naïve façade élève cœur déjà où hôtel garçon forêt Noël ça être goût œuvre"),
    CorpusScript("река плотина поток вода утро книга письмо новости строка тихо мост камень"),
    CorpusScript("ποτάμι νερό γέφυρα πρωί βιβλίο γράμμα ειδήσεις ήσυχα πέτρα φράγμα ροή"),
    CorpusScript("نهر ماء جسر صباح كتاب رسالة أخبار سطر هدوء حجر سد تيار قارئ نافذة"),
    CorpusScript("נהר מים גשר בוקר ספר מכתב חדשות שורה שקט אבן סכר זרם קורא חלון"),
    CorpusScript("河流 水坝 桥梁 早晨 新闻 读者 安静 石头 文章 订阅 缓存 同步 窗口", separator: ""),
    CorpusScript("川 堰 水 朝 本 手紙 ニュース 静か 石橋 読者 記事 窓 カタカナ ひらがな", separator: ""),
    CorpusScript("강 보 물 아침 책 편지 소식 조용히 돌다리 독자 기사 창문 흐름 저장"),
    CorpusScript("नदी बांध पानी सुबह किताब पत्र समाचार पंक्ति शांत पत्थर पाठक खिड़की"),
    CorpusScript("แม่น้ำ ฝาย น้ำ เช้า หนังสือ จดหมาย ข่าว เงียบ หิน ผู้อ่าน หน้าต่าง", separator: ""),
    CorpusScript("🌊 river 👩‍💻 code 🇪🇺 flag 🧑🏽‍🚀 space ❤️ heart 1️⃣ one ☕ coffee 🏳️‍🌈 rainbow 🎉"),
  ]
}

/// An instant as feeds write it, without the help of a calendar library.
struct CorpusDate {
  /// Seconds since 1970.
  var seconds: Int

  private var civil: (year: Int, month: Int, day: Int) {
    // Days counted from 1 March of year 0, in cycles of 400 years.
    let days = seconds / 86_400 + 719_468
    let cycle = days / 146_097
    let dayOfCycle = days % 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private var clock: String {
    let rest = seconds % 86_400
    return [rest / 3_600, rest / 60 % 60, rest % 60].map(Self.two).joined(separator: ":")
  }

  var iso: String {
    let (year, month, day) = civil
    return "\(year)-\(Self.two(month))-\(Self.two(day))T\(clock)Z"
  }

  var rfc822: String {
    let (year, month, day) = civil
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][seconds / 86_400 % 7]
    let name = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ][month - 1]
    return "\(weekday), \(Self.two(day)) \(name) \(year) \(clock) GMT"
  }
}

/// The four formats for the same articles.
enum CorpusFormat {
  private static func element(_ name: String, _ text: String, _ attributes: String = "") -> String {
    "<\(name)\(attributes)>\(Corpus.escape(text))</\(name)>\n"
  }

  private static let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  private static func link(_ home: String, _ article: Corpus.Article) -> String {
    home + "articles/" + (article.id.split(separator: ":").last ?? "")
  }

  static func rss(_ title: String, _ home: String, _ articles: [Corpus.Article]) -> String {
    var out = xml + "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel>\n"
    out += element("title", title) + element("link", home) + element("description", title)
    for article in articles {
      out += "<item>\n" + element("title", article.title) + element("link", link(home, article))
      out += element("guid", article.id, " isPermaLink=\"false\"")
      out += element("pubDate", article.date.rfc822) + element("dc:creator", article.author)
      out += element("category", article.tag)
      if article.hasEnclosure {
        out += "<enclosure url=\"\(home)audio.mp3\" length=\"1000000\" type=\"audio/mpeg\"/>\n"
      }
      out += "<description><![CDATA[\(article.html)]]></description>\n</item>\n"
    }
    return out + "</channel></rss>\n"
  }

  static func atom(
    _ title: String, _ home: String, _ articles: [Corpus.Article], _ updated: CorpusDate
  ) -> String {
    var out = xml + "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n"
    out += element("title", title) + element("id", home) + element("updated", updated.iso)
    out += "<link href=\"\(home)\"/>\n"
    for article in articles {
      out += "<entry>\n" + element("title", article.title) + element("id", article.id)
      out += "<link href=\"\(link(home, article))\"/>\n"
      out += element("published", article.date.iso) + element("updated", article.date.iso)
      out += "<author>\(element("name", article.author))</author>\n"
      out += "<category term=\"\(Corpus.escape(article.tag))\"/>\n"
      out += element("content", article.html, " type=\"html\"") + "</entry>\n"
    }
    return out + "</feed>\n"
  }

  static func rdf(_ title: String, _ home: String, _ articles: [Corpus.Article]) -> String {
    var out =
      xml + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
      + " xmlns=\"http://purl.org/rss/1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
      + " xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">\n"
    out += "<channel rdf:about=\"\(home)\">\n" + element("title", title) + element("link", home)
    out += element("description", title) + "</channel>\n"
    for article in articles {
      out += "<item rdf:about=\"\(link(home, article))\">\n" + element("title", article.title)
      out += element("link", link(home, article)) + element("dc:date", article.date.iso)
      out += element("dc:creator", article.author)
      out += element("content:encoded", article.html) + "</item>\n"
    }
    return out + "</rdf:RDF>\n"
  }

  static func json(_ title: String, _ home: String, _ articles: [Corpus.Article]) -> String {
    let items = articles.map { article in
      "{\"id\":\(quote(article.id)),\"url\":\(quote(link(home, article)))"
        + ",\"title\":\(quote(article.title)),\"content_html\":\(quote(article.html))"
        + ",\"date_published\":\(quote(article.date.iso))"
        + ",\"authors\":[{\"name\":\(quote(article.author))}],\"tags\":[\(quote(article.tag))]}"
    }
    return "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\(quote(title))"
      + ",\"home_page_url\":\(quote(home)),\"items\":[\n\(items.joined(separator: ",\n"))\n]}\n"
  }

  static func quote(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
