import ArgumentParser
import FeedModel
import FeedParsing
import FeedStore
import ReaderUI

/// `weir export`: the subscriptions for another reader, or for safe keeping.
struct ExportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the subscriptions as OPML 2.0, folders included.",
    discussion: "Names and passwords in addresses are part of them, and are exported too.")

  @Argument(help: "A file, replaced whole; - or nothing is standard output.")
  var file = "-"

  @OptionGroup(title: "Global options")
  var global: GlobalOptions

  func run(in session: Session) async throws {
    // The guide belongs to the program, not to the user.
    let entries = try session.store.outline().filter { $0.url != Guide.url }
    let document = SafeText.xml(OPML.document(title: "Weir subscriptions", entries: entries))
    if file == "-" { return try Console.write(Array(document.utf8)) }
    try TextFile.replace(file, with: Array(document.utf8))
    try Console.print(
      "Exported \(AmountWording.count(entries.count, "feed", "feeds")) to \(file)")
  }
}
