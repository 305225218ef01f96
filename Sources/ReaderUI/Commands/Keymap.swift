public import TerminalKit

/// Which keys mean which command, and where.
public nonisolated struct Keymap: Sendable {
  /// What is wrong with a binding in the configuration.
  public enum Problem: Error, Sendable, Equatable {
    case unknownCommand(String)
    case unknownKey(command: String, sequence: String)
  }

  /// What a run of keys stands for in one context.
  struct Match: Equatable {
    var command: Command?
    /// True where more keys could follow.
    var isPrefix: Bool
  }

  private var commands: [CommandContext: [[Key]: Command]] = [:]
  private var prefixes: [CommandContext: Set<[Key]>] = [:]
  private var sequences: [Command: [KeySequence]] = [:]
  /// What could not be understood; the rest of the keymap is in force all the same.
  public private(set) var problems: [Problem] = []

  /// The defaults with the user's own bindings over them.
  /// - Parameter overrides: command name → its key sequences. They replace the command's default
  ///   keys, and take a sequence away from any other command in the same place.
  public init(overrides: [String: [String]] = [:]) {
    for command in Command.allCases where overrides[command.rawValue] == nil {
      for name in command.description.keys {
        guard let sequence = KeySequence(name) else {
          problems.append(.unknownKey(command: command.rawValue, sequence: name))
          continue
        }
        bind(sequence, to: command)
      }
    }
    for (name, keys) in overrides.sorted(by: { $0.key < $1.key }) {
      guard let command = Command(rawValue: name) else {
        problems.append(.unknownCommand(name))
        continue
      }
      for key in keys {
        guard let sequence = KeySequence(key) else {
          problems.append(.unknownKey(command: name, sequence: key))
          continue
        }
        bind(sequence, to: command)
      }
    }
    for (context, bindings) in commands {
      for keys in bindings.keys where keys.count > 1 {
        for length in 1..<keys.count {
          prefixes[context, default: []].insert(Array(keys.prefix(length)))
        }
      }
    }
  }

  private mutating func bind(_ sequence: KeySequence, to command: Command) {
    guard !sequence.keys.isEmpty else { return }
    for context in command.description.contexts {
      if let other = commands[context]?[sequence.keys], other != command {
        let stays = other.description.contexts.contains {
          $0 != context && commands[$0]?[sequence.keys] == other
        }
        if !stays { sequences[other]?.removeAll { $0 == sequence } }
      }
      commands[context, default: [:]][sequence.keys] = command
    }
    sequences[command, default: []].append(sequence)
  }

  func match(_ keys: [Key], in context: CommandContext) -> Match {
    Match(
      command: commands[context]?[keys],
      isPrefix: prefixes[context]?.contains(keys) ?? false)
  }

  /// The sequences that give a command, the preferred one first; empty where it has none.
  public func sequences(for command: Command) -> [KeySequence] { sequences[command] ?? [] }

  /// The preferred key of a command as people read it; nil where it has none.
  func label(_ command: Command) -> String? { sequences[command]?.first.map(\.label) }
}

extension KeySequence {
  /// As help and hints spell it: `gg`, `Ctrl-d`, `↓`.
  nonisolated var label: String { keys.map(\.label).joined() }
}

extension Key {
  /// The key's name, arrows as arrows.
  nonisolated var label: String {
    switch self {
    case .up: return "↑"
    case .down: return "↓"
    case .left: return "←"
    case .right: return "→"
    default: return name ?? ""
    }
  }
}
