import Foundation

/// The desktop's keyring, through `secret-tool` of libsecret or macOS's `security`. A password is
/// passed as input, never as an argument, which every process can see.
package struct Keyring: Sendable {
  struct Call: Equatable {
    var words: [String]
    var input = ""
  }

  enum Kind: Sendable {
    case secretTool, security
  }

  private let kind: Kind
  private let program: [String]

  /// - Parameter bus: the D-Bus address; `nil` for the address in the environment.
  init(_ kind: Kind, program: String, bus: String? = nil) {
    self.kind = kind
    self.program = bus.map { ["env", "\(Self.busVariable)=\($0)", program] } ?? [program]
  }

  private static let busVariable = "DBUS_SESSION_BUS_ADDRESS"

  package static var ofDesktop: Keyring? {
    #if canImport(Darwin)
      return Keyring(.security, program: "/usr/bin/security")
    #else
      let isNamed = Environment.value(busVariable) != nil
      let bus = isNamed ? nil : Self.bus(in: "/run/user/\(getuid())")
      // A request without a session bus would wait for a service that is not there.
      guard isNamed || bus != nil, let path = Environment.value("PATH") else { return nil }
      return OtherPrograms.first(of: ["secret-tool"], path: path).map {
        Keyring(.secretTool, program: $0, bus: bus)
      }
    #endif
  }

  /// Returns a logged-in user's bus, for programs without its address in the environment (cron).
  /// - Parameter folder: the user's runtime directory, with the socket of systemd's `dbus.socket`.
  static func bus(in folder: String) -> String? {
    let socket = folder + "/bus"
    return access(socket, R_OK | W_OK) == 0 ? "unix:path=\(socket)" : nil
  }

  func password(of owner: PasswordOwner) async throws(CommandFailure) -> Password? {
    let call = find(owner)
    guard let output = try? await ProgramOutput.bytes(of: call.words) else { return nil }
    let text = String(decoding: output, as: UTF8.self).trimmingSuffix("\n")
    return text.isEmpty ? nil : Password(text)
  }

  func save(_ password: Password, of owner: PasswordOwner) async throws(CommandFailure) {
    guard let call = store(password, owner) else {
      throw CommandFailure("This password cannot be kept in the keyring.")
    }
    _ = try await ProgramOutput.bytes(of: call.words, input: call.input)
    // `security -i` succeeds even if its command failed.
    guard try await self.password(of: owner) == password else {
      throw CommandFailure("The keyring did not keep the password.")
    }
  }

  func forget(_ owner: PasswordOwner) async throws(CommandFailure) {
    _ = try await ProgramOutput.bytes(of: remove(owner).words)
  }

  private static let service = "weir"

  /// Returns a name that begins with the address, so that it is never read as an option.
  private static func name(_ owner: PasswordOwner) -> String { "\(owner.url) \(owner.user)" }

  func find(_ owner: PasswordOwner) -> Call {
    switch kind {
    case .secretTool:
      call("lookup", "service", Self.service, "account", Self.name(owner))
    case .security:
      call("find-generic-password", "-s", Self.service, "-a", Self.name(owner), "-w")
    }
  }

  func store(_ password: Password, _ owner: PasswordOwner) -> Call? {
    switch kind {
    case .secretTool:
      return call(
        "store", "--label=Weir: \(owner.user)", "service", Self.service, "account",
        Self.name(owner), input: password.text)
    case .security:
      // `security` prints a non-ASCII password in hexadecimal, which could also be a password.
      guard password.text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
      let digits = password.text.utf8.map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined()
      let quoted = Self.name(owner).map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      return call(
        "-i", input: "add-generic-password -U -s \(Self.service) -a \"\(quoted)\" -X \(digits)\n")
    }
  }

  func remove(_ owner: PasswordOwner) -> Call {
    switch kind {
    case .secretTool:
      call("clear", "service", Self.service, "account", Self.name(owner))
    case .security:
      call("delete-generic-password", "-s", Self.service, "-a", Self.name(owner))
    }
  }

  private func call(_ words: String..., input: String = "") -> Call {
    Call(words: program + words, input: input)
  }
}
