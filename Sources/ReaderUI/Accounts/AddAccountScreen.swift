import FeedModel
import FeedStore
import ReaderServices
import TerminalKit
import TerminalViews
import Wording

/// The form for signing in to a remote account.
final class AddAccountScreen: WorkingSheet {
  nonisolated enum Field { case kind, address, user, password }

  let context: ReaderContext
  var form: Form<Field>
  var work: TimerToken?

  init(context: ReaderContext) {
    self.context = context
    form = Form(
      [
        .choice(.kind, "Protocol", Account.Kind.allCases.map(AccountWording.kind)),
        .text(.address, "Address"), .text(.user, "User"),
        .text(.password, "Password", isHidden: true),
      ], current: .address)
  }

  var title: String { "Add an account" }
  var readsFeeds: Bool { false }
  var hints: [Hint] {
    if work != nil { return [Hint(key: "Esc", "stop")] }
    let enter = Hint(key: "Enter", form.current == .password ? "sign in" : "next")
    let change = form.isChoice ? [Hint(key: "Space", "change")] : []
    return [enter] + change + [Hint(key: "Tab", "next"), Hint(key: "Esc", "leave")]
  }

  func handle(_ key: Key) -> Bool {
    guard work != nil else { return handleInForm(key) }
    if key == .escape || key == .control("c") { work = nil }
    return true
  }

  func submit() { if form.current == .password { signIn() } else { form.step(1) } }

  private func signIn() {
    let (url, user) = (trimmed(.address), trimmed(.user))
    let password = form.text(.password)
    if url.isEmpty { return form.showError("Address is missing.", at: .address) }
    if user.isEmpty { return form.showError("User is missing.", at: .user) }
    if password.isEmpty { return form.showError("Password is missing.", at: .password) }
    let signIn = AccountSignIn(
      kind: Account.Kind.allCases[form.choice(.kind)], url: url, user: user,
      password: Password(password))
    run { [actions = context.actions] () throws(ActionFailure) in
      try await actions.addAccount(signIn)
    }
  }

  func closed() { work = nil }

  func draw(on canvas: Canvas, isFocused: Bool) {
    let (below, error) = form.draw(on: Canvas.column(in: canvas), isActive: work == nil)
    if work != nil {
      below.write("⟳ Signing in …", x: 0, y: 0)
    } else {
      below.write(paragraph: error ?? help, error == nil ? .secondary : .error)
    }
  }

  private var help: String {
    "The server\u{2019}s address as your browser shows it. FreshRSS and Miniflux use a separate "
      + "password for other programs: set it in FreshRSS under Settings, Profile; in Miniflux under "
      + "Settings, Integrations."
  }
}
