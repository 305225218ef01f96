import FeedModel
import FeedStore
import TerminalKit

/// Signing in to a remote account: what it speaks, where it is, who you are there, and the password.
final class AddAccountScreen: Sheet {
  private enum Field: Int, CaseIterable {
    case kind, address, user, password

    var label: String {
      switch self {
      case .kind: "Speaks"
      case .address: "Address"
      case .user: "User"
      case .password: "Password"
      }
    }
  }

  private let context: ReaderContext
  weak var parent: (any Responder)?
  private var kind = Account.Kind.googleReader
  private var texts: [Field: TextField] = [
    .address: TextField(), .user: TextField(), .password: TextField(isHidden: true),
  ]
  private var current = Field.address
  private var complaint: String?
  /// The server is being asked.
  private var work: TimerToken?

  init(context: ReaderContext) { self.context = context }

  var commandContext: CommandContext { .help }
  var title: String { "Add an account" }
  var readsFeeds: Bool { false }
  var hints: [Hint] {
    if work != nil { return [Hint(key: "Esc", "stop")] }
    let enter = Hint(key: "Enter", current == .password ? "sign in" : "next")
    let change = current == .kind ? [Hint(key: "Space", "change")] : []
    return [enter] + change + [Hint(key: "Tab", "next"), Hint(key: "Esc", "leave")]
  }

  func respond(to event: InterfaceEvent) -> Bool { false }

  // MARK: Keys

  func take(_ key: Key) -> Bool {
    switch key {
    case .mouse, .resize, .focusIn, .focusOut: return false
    default: break
    }
    context.invalidate()
    if key == .escape || key == .control("c") {
      if work == nil { send(.closeSheet) } else { work = nil }
      return true
    }
    guard work == nil else { return true }
    switch key {
    case .tab, .down: step(1)
    case .backTab, .up: step(-1)
    case .enter: if current == .password { signIn() } else { step(1) }
    default:
      guard var text = texts[current] else {
        if [.character(" "), .left, .right].contains(key) { changeKind() }
        break
      }
      if text.take(key) { complaint = nil }
      texts[current] = text
    }
    return true
  }

  private func step(_ steps: Int) {
    let count = Field.allCases.count
    current = Field.allCases[(current.rawValue + steps + count) % count]
  }

  private func changeKind() {
    let kinds = Account.Kind.allCases
    let place = kinds.firstIndex(of: kind) ?? 0
    kind = kinds[(place + 1) % kinds.count]
    complaint = nil
  }

  private func text(_ field: Field) -> String {
    let text = texts[field]?.text ?? ""
    return field == .password ? text : text.trimmingWhitespace
  }

  private func signIn() {
    for field in [Field.address, .user, .password] where text(field).isEmpty {
      current = field
      complaint = "\(field.label) is missing."
      return
    }
    complaint = nil
    let signIn = AccountSignIn(
      kind: kind, url: text(.address), user: text(.user), password: Password(text(.password)))
    let context = context
    work = context.beside { [weak self] in
      do throws(ActionFailure) {
        let sentence = try await context.actions.addAccount(signIn)
        guard !Task.isCancelled else { return }
        self?.work = nil
        self?.send(.closeSheet)
        context.note(sentence)
      } catch {
        guard !Task.isCancelled else { return }
        self?.work = nil
        self?.complaint = error.sentence
        context.invalidate()
      }
    }
  }

  func closed() { work = nil }

  // MARK: Drawing

  func draw(on canvas: Canvas, isFocused: Bool) {
    let text = Canvas.column(in: canvas)
    let spacing = text.height < 12 ? 1 : 2
    for field in Field.allCases {
      let y = field.rawValue * spacing
      let isCurrent = field == current && work == nil
      if isCurrent { text.mark(row: y) }
      text.write(field.label, x: 2, y: y, isCurrent ? .title : .secondary)
      let space = text.part(Rect(x: 12, y: y, width: max(1, text.width - 12), height: 1))
      if field == .kind {
        space.write("‹ \(AccountWording.kind(kind)) ›", x: 0, y: 0, columns: space.width)
      } else if isCurrent {
        texts[field]?.draw(on: space, x: 0, y: 0)
      } else {
        space.write(
          texts[field]?.shown ?? "", x: 0, y: 0, columns: space.width, truncation: .middle)
      }
    }
    let y = Field.allCases.count * spacing
    let below = text.part(
      Rect(x: 2, y: y, width: max(1, text.width - 2), height: max(0, text.height - y)))
    if work != nil {
      below.write("⟳ Signing in …", x: 0, y: 0)
    } else {
      let lines = TextWrapping.lines(complaint ?? help, columns: below.width)
      for (y, line) in lines.enumerated() {
        below.write(line, x: 0, y: y, complaint == nil ? .secondary : .error)
      }
    }
  }

  private var help: String {
    switch kind {
    case .googleReader:
      return
        "FreshRSS: https://HOST/api/greader.php. Miniflux: https://HOST. " + Self.otherPassword
    case .fever:
      return
        "FreshRSS: https://HOST/api/fever.php. Miniflux: https://HOST/fever. " + Self.otherPassword
    }
  }

  private static let otherPassword =
    "Both have a password for this beside the one for their pages: set it there, FreshRSS: "
    + "Settings, Profile; Miniflux: Settings, Integrations."
}
