import ProgramSettings

extension ReaderRun {
  func addAccount(_ signIn: AccountSignIn) async throws(ActionFailure) -> String {
    let added = try await wordingErrors {
      try await AccountSetup(session).add(
        signIn.kind, url: signIn.url, user: signIn.user, secret: .password(signIn.password),
        isChecked: !isOffline)
    }
    let place = added.place.map { "; the password is \($0.rawValue)" } ?? ""
    return (isOffline ? "Added" : "Signed in") + place
  }

  func previewFolder(path: String) async throws(ActionFailure) -> String {
    try await wordingErrors { try await FolderSetup(session: session).preview(path) }
  }

  func joinFolder(path: String, takesTheirs: Bool) async throws(ActionFailure) -> String {
    try await wordingErrors {
      try await FolderSetup(session: session).join(path, takesTheirs: takesTheirs)
    }
  }

  func setPassword(
    _ password: Password, of account: Account
  ) async throws(ActionFailure) -> String {
    let place = try await wordingErrors {
      try await AccountSetup(session).change(
        account, to: .password(password), isChecked: !isOffline)
    }
    return "Password changed" + (place.map { ", kept \($0.rawValue)" } ?? "")
  }

  func removeAccount(_ account: Account) async throws(ActionFailure) -> String {
    _ = try await wordingErrors { try await AccountSetup(session).remove(account) }
    return "Removed \(account.title)"
  }
}
