import ArgumentParser
import FeedParsing
import Foundation
import ProgramSettings

struct ExportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the subscriptions as OPML 2.0, folders included.",
    discussion: """
      The export includes user names and passwords in addresses, and the settings of single feeds, with \
      their headers, as attributes that begin with weir:.
      """)

  @Argument(
    help: "The file to write; without it, or with -, standard output.", completion: .file())
  var file = "-"

  @Flag(
    name: [.customShort("f"), .long],
    help: "Replace an existing file, once the new one is complete.")
  var replace = false

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    if file == "-" { return try Console.write(Self.document(session.store).bytes) }
    var status = stat()
    if !replace, stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      throw CommandFailure(StoreError.exists(path: file))
    }
    let count = try Self.write(session.store, to: file)
    try Console.print("Exported \(AmountWording.feeds(count)) to \(file)")
  }

  /// - Returns: the number of feeds in the file.
  static func write(_ store: FeedStore, to file: String) throws -> Int {
    let (bytes, count) = try document(store)
    try TextFile.replace(file, with: bytes, followsLinks: false)
    return count
  }

  private static func document(_ store: FeedStore) throws -> (bytes: [UInt8], count: Int) {
    // The guide belongs to the program, not to the user.
    let entries = try store.reader.feeds.outline().filter { $0.url != Guide.url }
    let document = SafeText.xml(OPML.document(title: "Weir subscriptions", entries: entries))
    return (Array(document.utf8), entries.count)
  }
}
