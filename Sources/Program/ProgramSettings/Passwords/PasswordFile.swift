import Foundation

/// Passwords in a file of the data directory, readable by its owner only.
package struct PasswordFile: Sendable {
  private struct Entry: Codable {
    var url: String
    var user: String
    var password: String
    var owner: PasswordOwner { PasswordOwner(url: url, user: user) }
  }

  private let path: String

  init(directory: String) { path = directory + "/passwords.json" }

  func password(of owner: PasswordOwner) throws(CommandFailure) -> Password? {
    try read().first { $0.owner == owner }.map { Password($0.password) }
  }

  func save(_ password: Password, of owner: PasswordOwner) throws(CommandFailure) {
    let entry = Entry(url: owner.url, user: owner.user, password: password.text)
    try change { $0.filter { $0.owner != owner } + [entry] }
  }

  func forget(_ owner: PasswordOwner) throws(CommandFailure) {
    guard access(path, F_OK) == 0 else { return }
    try change { $0.filter { $0.owner != owner } }
  }

  /// Changes the file under a lock, so that two processes do not overwrite each other's changes.
  private func change(_ body: ([Entry]) -> [Entry]) throws(CommandFailure) {
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else {
      throw CommandFailure("\(path) cannot be written: \(SystemError.words(errno)).")
    }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    let entries = body(try read())
    guard let data = try? JSONEncoder().encode(entries) else {
      throw CommandFailure("\(path) cannot be written.")
    }
    try TextFile.replace(path, with: Array(data), isSecret: true)
  }

  private func read() throws(CommandFailure) -> [Entry] {
    var status = stat()
    guard lstat(path, &status) == 0 else { return [] }
    // A copied or restored file may be readable by others. The target of a link keeps its mode.
    if status.st_mode & S_IFMT != S_IFLNK, status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
    let bytes = try TextFile.readAtRest(path, name: path)
    guard let entries = try? JSONDecoder().decode([Entry].self, from: Data(bytes)) else {
      throw CommandFailure("\(path) is damaged. Remove it and give the passwords again.")
    }
    return entries
  }
}
