import Foundation

/// A change of a single place.
struct Mutant {
  var number: Int
  var site: Site
  var change: String

  /// The number of earlier mutants in the file with the same line and change.
  var place = 0

  /// File, line and change, as in the list of equivalents.
  var key: String { "\(site.path)\t\(site.lineText)\t\(change)" }
  /// Identifies the mutant in another run, if the line was not edited.
  var name: String { "\(key)\t\(place)" }
}

/// The result of the tests with a mutant.
enum Outcome: String {
  case failed, crashed, hung, survived
  /// No test executes it.
  case unreached

  var isKilled: Bool { self != .survived && self != .unreached }
}

/// Mutants without a visible effect, as `equivalent.txt` lists them: blocks of four lines with the
/// file, the line's text, the change and the reason.
struct Equivalents {
  private(set) var reasons: [String: String] = [:]

  init(_ url: URL) throws {
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    for block in text.components(separatedBy: "\n\n") {
      let lines = block.split(separator: "\n").filter { !$0.hasPrefix("#") }
      guard lines.count == 4 else {
        if lines.isEmpty { continue }
        throw Failure(description: "\(url.lastPathComponent): not four lines:\n\(block)")
      }
      reasons[lines[..<3].joined(separator: "\t")] = String(lines[3])
    }
  }
}

struct Failure: Error, CustomStringConvertible { var description: String }
