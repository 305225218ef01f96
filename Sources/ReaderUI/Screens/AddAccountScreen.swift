import FeedModel
import FeedStore
import TerminalKit
import Wording

/// The form for signing in to a remote account.
final class AddAccountScreen: FormSheet {
  private enum Field { case kind, address, user, password }

  private let context: ReaderContext
  private var form: Form<Field>
  private var work: TimerToken?

  init(context: ReaderContext) {
    self.context = context
    form = Form(
      [
        .init(
          field: .kind, label: "Protocol",
          control: .choice(Account.Kind.allCases.map(AccountWording.kind))),
        .init(field: .address, label: "Address", control: .text(TextField())),
        .init(field: .user, label: "User", control: .text(TextField())),
        .init(field: .password, label: "Password", control: .text(TextField(isHidden: true))),
      ], current: .address)
  }

  var title: String { "Add an account" }
  var readsFeeds: Bool { false }
  var hints: [Hint] {
    if work != nil { return [Hint(key: "Esc", "stop")] }
    let enter = Hint(key: "Enter", form.current == .password ? "sign in" : "next")
    let change = form.current == .kind ? [Hint(key: "Space", "change")] : []
    return [enter] + change + [Hint(key: "Tab", "next"), Hint(key: "Esc", "leave")]
  }

  func take(_ key: Key) -> Bool {
    guard key.isTyped else { return false }
    guard work == nil else {
      if key == .escape || key == .control("c") { work = nil }
      return true
    }
    switch form.take(key) {
    case .stays: break
    case .leave: context.window?.closeSheet()
    case .submit: if form.current == .password { signIn() } else { form.step(1) }
    }
    return true
  }

  private var kind: Account.Kind { Account.Kind.allCases[form.choice(.kind)] }

  private func signIn() {
    let (url, user) = (form.text(.address).trimmingWhitespace, form.text(.user).trimmingWhitespace)
    let password = form.text(.password)
    if url.isEmpty { return form.fail("Address is missing.", at: .address) }
    if user.isEmpty { return form.fail("User is missing.", at: .user) }
    if password.isEmpty { return form.fail("Password is missing.", at: .password) }
    form.clearError()
    let signIn = AccountSignIn(kind: kind, url: url, user: user, password: Password(password))
    let context = context
    work = context.beside { [weak self] in
      do throws(ActionFailure) {
        let sentence = try await context.actions.addAccount(signIn)
        guard !Task.isCancelled else { return }
        self?.work = nil
        context.window?.closeSheet()
        context.note(sentence)
      } catch {
        guard !Task.isCancelled else { return }
        self?.work = nil
        self?.form.fail(error.sentence)
        context.invalidate()
      }
    }
  }

  func closed() { work = nil }

  func draw(on canvas: Canvas, isFocused: Bool) {
    let (below, error) = form.draw(on: Canvas.column(in: canvas), isActive: work == nil)
    if work != nil {
      below.write("⟳ Signing in …", x: 0, y: 0)
    } else {
      let lines = TextWrapping.lines(error ?? help, columns: below.width)
      for (y, line) in lines.enumerated() {
        below.write(line, x: 0, y: y, error == nil ? .secondary : .error)
      }
    }
  }

  private var help: String {
    "The server\u{2019}s address as your browser shows it. FreshRSS and Miniflux use a separate "
      + "password for other programs: set it in FreshRSS under Settings, Profile; in Miniflux under "
      + "Settings, Integrations."
  }
}
