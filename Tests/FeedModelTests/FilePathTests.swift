import FeedModel
import Testing

@Suite struct FilePathTests {
  @Test(
    "The folder of a path is what stands before its last name",
    arguments: [
      ("a/b", "a"), ("a/b/", "a"), ("/a/b", "/a"), ("/a//b", "/a"), ("a", "."), ("é", "."),
      (".", "."), ("", "."), ("a/", "."), ("/", "/"), ("//", "/"), ("/a", "/"), ("../a", ".."),
      ("a/é", "a"), ("é/a", "é"),
    ])
  func folder(path: String, folder: String) {
    #expect(FilePath.folder(of: path) == folder)
  }
}
