import ArgumentParser
import Foundation
import ProgramSettings

/// The folder that devices share, for the commands of accounts.
struct FolderSetup {
  /// The argument that names the folder in place of an account.
  static let argument = "folder"

  let session: Session
  private var folder: SharedFolderCache { session.store.reader.sharedFolder }
  private var exchange: FolderExchange {
    FolderExchange(folder) { Console.note(CommandFailure($0).sentence) }
  }

  /// Joins a folder, after a preview that the user may decline.
  /// - Parameters:
  ///   - name: the name of this machine; `nil` for its own.
  ///   - mode: `nil` to ask the user, or to merge if there is no terminal.
  func join(_ text: String, named name: String?, _ mode: OnboardingPlan.Mode?) async throws {
    let joined = try await join(text, named: name) { plan in try mode ?? ask(text, plan) }
    guard let joined else { throw CommandFailure("Nothing was changed.", code: .interrupted) }
    try Console.print(joined)
    Console.note("Undo in the reader leaves it again. The state before is in before-joining.db.")
  }

  /// Returns the numbers of feeds in the folder and on this machine. Does not join the folder.
  func preview(_ text: String) async throws -> String {
    var preview = ""
    _ = try await join(text) { plan in
      preview = FolderWording.preview(plan)
      return nil
    }
    return preview
  }

  func join(_ text: String, takesTheirs: Bool) async throws -> String {
    try await join(text) { _ in takesTheirs ? .takeTheirs : .merge } ?? ""
  }

  /// Joins a folder unless `choose` returns `nil`.
  /// - Returns: a sentence with the numbers of feeds; `nil` if it was not joined.
  private func join(
    _ text: String, named name: String? = nil,
    _ choose: (OnboardingPlan) async throws -> OnboardingPlan.Mode?
  ) async throws -> String? {
    let path = URL(filePath: (text as NSString).expandingTildeInPath).standardizedFileURL.path
    if let row = try folder.folder(), row.isJoined {
      throw CommandFailure(
        "This machine shares \(row.path) already. \u{201C}weir account remove folder\u{201D} leaves it."
      )
    }
    do {
      let plan = try await exchange.join(path: path, name: name, choose: choose) {
        try session.store.file.backup(
          to: session.paths.data + "/before-joining.db", replacing: true)
      }
      guard let plan else { return nil }
      let joined = "Joined \(path): \(FolderWording.preview(plan))"
      do {
        try await run()
      } catch let failure as CommandFailure {
        throw CommandFailure("\(joined). \(failure.sentence)")
      }
      return joined
    } catch let problem as FolderProblem {
      throw CommandFailure(
        "\(FolderWording.happened(problem, path: path)). This machine has not joined it, and nothing "
          + "was changed.")
    }
  }

  /// Shows the preview and returns the answer; `nil` to leave all as it is.
  private func ask(_ path: String, _ plan: OnboardingPlan) throws -> OnboardingPlan.Mode? {
    guard isatty(STDIN_FILENO) == 1, Console.errorsAreTerminal else { return .merge }
    Console.note("\(path): \(FolderWording.preview(plan)).")
    Console.note("Enter merges · t takes theirs, and unsubscribes what is only here · q quits")
    switch readLine()?.lowercased() {
    case "": return .merge
    case "t": return .takeTheirs
    default: return nil
    }
  }

  /// Exchanges changes with the folder, if there is one. Throws if a problem pauses the exchange.
  /// - Returns: a sentence with the number of changes that were written; `nil` for none.
  @discardableResult
  func run(json isJSON: Bool = false) async throws -> String? {
    let before = try folder.lastWritten()
    let problem = try await exchange.run(waits: true)
    if isJSON, let document = try json() { try JSONOutput.print(document) }
    guard let row = try folder.folder() else { return nil }
    if let problem { throw Self.failure(problem, row.path) }
    let after = try folder.lastWritten()
    return after > before ? FolderWording.written(Int(after - before), path: row.path) : nil
  }

  private static func failure(_ problem: FolderProblem, _ path: String) -> CommandFailure {
    CommandFailure(
      "\(FolderWording.happened(problem, path: path)). \(FolderWording.remedy(problem))")
  }

  func sync(json isJSON: Bool) async throws {
    let written = try await run(json: isJSON)
    guard !isJSON, let row = try folder.folder() else { return }
    try Console.print(written ?? FolderWording(dates: .current).state(row))
  }

  /// Returns true for each name that `weir account list` shows for the folder.
  func isNamed(_ text: String) throws -> Bool {
    guard let row = try folder.folder() else { return false }
    return [Self.argument, row.name, row.path].contains(text)
  }

  // MARK: Listing

  /// Returns the rows of the folder and its devices for a table.
  func rows() throws -> [[String]] {
    guard let row = try folder.folder() else { return [] }
    let wording = FolderWording(dates: .current)
    let devices = try folder.devices().filter { !$0.isForgotten }
    return [
      [
        Self.argument, row.name + " (this machine)", row.path,
        FolderWording.waiting(try folder.waiting()),
        wording.state(row),
      ]
    ] + devices.map { ["", $0.name, $0.id.text, "", wording.state($0)] }
      + (try folder.addressesToAllow().map { address in
        ["", "program", address, "", "not allowed here; \u{201C}weir add\u{201D} allows it"]
      })
      + (try folder.feedsToConfirm().map { feed in
        [
          "", "feed", SafeText.withoutSecrets(feed.url), "",
          "\(FolderWording.unconfirmed); \u{201C}weir add\u{201D} confirms the address",
        ]
      })
  }

  func json() throws -> JSONObject? {
    guard let row = try folder.folder() else { return nil }
    let wording = FolderWording(dates: .current)
    return [
      "kind": Self.argument, "path": row.path, "device": row.device.text, "title": row.name,
      "waiting": try folder.waiting(), "problem": row.problem?.rawValue,
      "state": wording.state(row), "notAllowed": try folder.addressesToAllow(),
      "notConfirmed": try folder.feedsToConfirm().map(\.url),
      "devices": try folder.devices().filter { !$0.isForgotten }.map { device in
        [
          "device": device.id.text, "title": device.name, "seenAt": device.seenAt,
          "incomplete": device.problem?.file, "problem": device.problem?.kind.rawValue,
          "state": wording.state(device),
          "same": device.agreement == .unknown ? nil : device.agreement == .same,
        ] as JSONObject
      },
    ]
  }

  // MARK: Ending

  /// Leaves the folder after writing pending entries.
  func remove() async throws {
    guard let row = try folder.folder() else {
      throw CommandFailure("This machine shares no folder.")
    }
    try await exchange.run(waits: true)
    try await folder.end()
    try Console.print(
      "Left \(row.path). Feeds, articles and marks stay on this machine and in the folder")
  }
}

struct AccountForgetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Stop listing a device of the shared folder.",
    discussion: "Its changes stay. It is listed again when it writes a new file.")

  @Argument(
    help: "The device\u{2019}s name or number, as \u{201C}weir account list\u{201D} shows it.")
  var device: String

  @Flag(name: .shortAndLong, help: "Even if it was seen in the last 180 days.") var yes = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in session: Session) async throws {
    let folder = session.store.reader.sharedFolder
    let matches = try folder.devices().filter {
      !$0.isForgotten && ($0.id.text == device || $0.name == device)
    }
    guard matches.count == 1 else {
      throw CommandFailure(
        "No single device is named \u{201C}\(device)\u{201D}. \u{201C}weir account list\u{201D} lists them."
      )
    }
    let found = matches[0]
    if !yes, let seen = found.seenAt, -seen.timeIntervalSinceNow < 180 * 86_400 {
      throw CommandFailure(
        "\(found.name) was seen \(DateWording.current.moment(seen)). --yes forgets it anyway.")
    }
    try await folder.forget(found)
    try Console.print("Forgot \(found.name)")
    Console.note("It is listed again when it writes a new file.")
  }
}
