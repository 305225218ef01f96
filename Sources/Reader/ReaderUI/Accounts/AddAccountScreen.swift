import TerminalViews

/// The form for signing in to a remote account, or for joining a folder that devices share.
final class AddAccountScreen: WorkingSheet {
  nonisolated enum Field { case kind, address, user, password }

  let context: ReaderContext
  var form: Form<Field>
  var work: TimerToken?
  /// The numbers of feeds in the folder and here, until the user has chosen how to join it.
  private var preview: String?

  init(context: ReaderContext) {
    self.context = context
    form = Form(
      [
        .choice(.kind, "Protocol", Self.kinds),
        .text(.address, "Address"), .text(.user, "User"),
        .text(.password, "Password", isHidden: true),
      ], current: .address)
  }

  private static let kinds =
    Account.Kind.allCases.map(AccountWording.kind) + ["A folder, without a server"]
  private var isFolder: Bool { form.choice(.kind) == Account.Kind.allCases.count }

  var title: String { "Add an account" }
  var hints: [Hint] {
    if work != nil { return [Hint(key: "Esc", "stop")] }
    if preview != nil {
      return [Hint(key: "Enter", "merge"), Hint(key: "t", "take theirs"), Hint(key: "Esc", "back")]
    }
    if isFolder { return [Hint(key: "Enter", "read it"), Hint(key: "Esc", "leave")] }
    return fieldHints(enter: form.current == .password ? "sign in" : "next")
  }

  func handle(_ key: Key) -> Bool {
    if work != nil {
      if key == .escape || key == .control("c") { work = nil }
      return true
    }
    guard preview != nil else { return handleInForm(key) }
    switch key {
    case .enter: join(takesTheirs: false)
    case .character("t"): join(takesTheirs: true)
    case .escape: preview = nil
    default: break
    }
    return true
  }

  private func join(takesTheirs: Bool) {
    preview = nil
    run { [actions = context.actions, path = trimmed(.address)] () throws(ActionFailure) in
      try await actions.joinFolder(path: path, takesTheirs: takesTheirs)
    }
  }

  /// Shows the numbers of feeds before joining.
  private func readFolder() {
    let path = trimmed(.address)
    if path.isEmpty { return form.showError("The path of the folder is missing.", at: .address) }
    run { [actions = context.actions] () throws(ActionFailure) in
      try await actions.previewFolder(path: path)
    } then: { [weak self] in
      self?.preview = $0
    }
  }

  func submit() {
    if isFolder {
      readFolder()
    } else if form.current == .password {
      signIn()
    } else {
      form.step(1)
    }
  }

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

  func draw(on canvas: Canvas, isFocused: Bool) {
    let (below, error) = form.draw(on: Canvas.column(in: canvas), isActive: work == nil)
    if work != nil {
      below.write(isFolder ? "⟳ Reading the folder …" : "⟳ Signing in …", x: 0, y: 0)
    } else if let preview {
      below.write(
        paragraph: "\(preview). Enter merges, t takes theirs and unsubscribes what is only here.",
        .title)
    } else {
      below.write(paragraph: error ?? help, error == nil ? .secondary : .error)
    }
  }

  private var help: String {
    if isFolder {
      return "The path of a folder that another program (Syncthing, NFS, a stick) carries between "
        + "your machines. Your feeds change only after you have seen what is there."
    }
    return
      "The server\u{2019}s address as your browser shows it. FreshRSS and Miniflux use a separate "
      + "password for other programs: set it in FreshRSS under Settings, Profile; in Miniflux under "
      + "Settings, Integrations."
  }
}
