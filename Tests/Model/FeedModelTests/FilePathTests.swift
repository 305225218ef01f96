@Suite("Paths of files") struct FilePathTests {
  @Test(
    "The folder of a path is the part before its last name",
    arguments: [
      ("a/b", "a"), ("a/b/", "a"), ("/a/b", "/a"), ("/a//b", "/a"), ("a", "."), ("é", "."),
      (".", "."), ("", "."), ("a/", "."), ("/", "/"), ("//", "/"), ("/a", "/"), ("../a", ".."),
      ("a/é", "a"), ("é/a", "é"),
    ])
  func folder(path: String, folder: String) {
    #expect(FilePath.folder(of: path) == folder)
  }
}
