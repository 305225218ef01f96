/// A key binding of the configuration.
public nonisolated struct CommandKeyBinding<ProgramCommand: CommandSet>: Sendable, Equatable {
  /// A sequence, such as "X" or "ctrl-x s".
  public var keys: String
  /// Commands in order, such as "toggle-star" or "theme light". If empty, the key does nothing.
  public var commands: [String]
  /// The context. `nil` means every context in which the first command applies, or, without
  /// commands, every context.
  public var context: ProgramCommand.Place?

  public init(keys: String, commands: [String], context: ProgramCommand.Place? = nil) {
    (self.keys, self.commands, self.context) = (keys, commands, context)
  }
}

/// The mapping from keys to commands in each context.
public nonisolated struct CommandKeymap<ProgramCommand: CommandSet>: Sendable {
  /// An error in a binding of the configuration.
  public enum Problem: Error, Sendable, Equatable {
    case unknownCommand(String)
    case unknownKey(command: String, sequence: String)
  }

  package struct Match: Equatable {
    package var binding: [CommandInvocation<ProgramCommand>]?
    var isPrefix: Bool
  }

  private var bindings: [ProgramCommand.Place: [[Key]: [CommandInvocation<ProgramCommand>]]] = [:]
  private var prefixes: [ProgramCommand.Place: Set<[Key]>] = [:]
  private var sequences: [ProgramCommand: [KeySequence]] = [:]
  public private(set) var macros:
    [(keys: KeySequence, invocations: [CommandInvocation<ProgramCommand>])] =
      []
  /// Bindings that could not be read and are ignored.
  public private(set) var problems: [Problem] = []

  /// Combines the defaults with the user's bindings.
  /// - Parameters:
  ///   - overrides: Key sequences by command name. They replace the command's default keys (an
  ///     empty list removes them) and remove a sequence from any other command in the same place.
  ///     The keys of a former name are added to those of its replacement.
  ///   - bindings: The user's bindings, which precede everything else.
  public init(
    overrides: [String: [String]] = [:], bindings: [CommandKeyBinding<ProgramCommand>] = []
  ) {
    for command in ProgramCommand.allCases where overrides[command.name] == nil {
      for name in command.keys { bind(name, to: command) }
    }
    for (name, keys) in overrides.sorted(by: { $0.key < $1.key }) {
      guard let command = ProgramCommand(named: name) else {
        if ProgramCommand.replacement(for: name) == nil {
          problems.append(.unknownCommand(name))
        } else {
          for keys in keys { add(CommandKeyBinding(keys: keys, commands: [name])) }
        }
        continue
      }
      for key in keys { bind(key, to: command) }
    }
    for binding in bindings { add(binding) }
    for (context, bindings) in self.bindings {
      for keys in bindings.keys where keys.count > 1 {
        for length in 1..<keys.count {
          prefixes[context, default: []].insert(Array(keys.prefix(length)))
        }
      }
    }
  }

  private mutating func bind(_ name: String, to command: ProgramCommand) {
    guard let sequence = KeySequence(name) else {
      return problems.append(.unknownKey(command: command.name, sequence: name))
    }
    bind(sequence, to: [CommandInvocation(command)], in: command.places)
  }

  private mutating func add(_ binding: CommandKeyBinding<ProgramCommand>) {
    guard let sequence = KeySequence(binding.keys) else {
      return problems.append(
        .unknownKey(command: binding.commands.first ?? "", sequence: binding.keys))
    }
    var invocations: [CommandInvocation<ProgramCommand>] = []
    for text in binding.commands {
      guard let invocation = CommandInvocation<ProgramCommand>(text) else {
        problems.append(.unknownCommand(text))
        return
      }
      invocations.append(invocation)
    }
    let contexts =
      binding.context.map { [$0] }
      ?? invocations.first?.command.places ?? Set(ProgramCommand.Place.allCases)
    bind(sequence, to: invocations, in: contexts)
  }

  private mutating func bind(
    _ sequence: KeySequence, to invocations: [CommandInvocation<ProgramCommand>],
    in contexts: Set<ProgramCommand.Place>
  ) {
    for context in contexts {
      if let other = bindings[context]?[sequence.keys], other != invocations {
        let stays = ProgramCommand.Place.allCases.contains {
          !contexts.contains($0) && bindings[$0]?[sequence.keys] == other
        }
        if !stays, other.count == 1, other[0].argument == nil {
          sequences[other[0].command]?.removeAll { $0 == sequence }
        }
      }
      bindings[context, default: [:]][sequence.keys] = invocations.isEmpty ? nil : invocations
    }
    if invocations.count == 1, invocations[0].argument == nil {
      let command = invocations[0].command
      if sequences[command]?.contains(sequence) != true {
        sequences[command, default: []].append(sequence)
      }
    } else if !invocations.isEmpty {
      macros.append((sequence, invocations))
    }
  }

  package func match(_ keys: [Key], in context: ProgramCommand.Place) -> Match {
    Match(
      binding: bindings[context]?[keys],
      isPrefix: prefixes[context]?.contains(keys) ?? false)
  }

  /// Returns the remaining keys of each sequence that begins with `keys`, sorted by label.
  public func continuations(
    of keys: [Key], in context: ProgramCommand.Place
  ) -> [(keys: KeySequence, invocations: [CommandInvocation<ProgramCommand>])] {
    let found = (bindings[context] ?? [:]).compactMap { sequence, invocations in
      sequence.starts(with: keys)
        ? KeySequence(Array(sequence.dropFirst(keys.count))).map { ($0, invocations) } : nil
    }
    return found.sorted { (a, b) in
      let (a, b) = (a.0.label, b.0.label)
      return (a.lowercased(), a) < (b.lowercased(), b)
    }
  }

  /// Returns the sequences of a command, the preferred one first.
  public func sequences(for command: ProgramCommand) -> [KeySequence] { sequences[command] ?? [] }

  public func sequences(for command: ProgramCommand, in context: ProgramCommand.Place)
    -> [KeySequence]
  {
    sequences(for: command).filter { bindings[context]?[$0.keys] == [CommandInvocation(command)] }
  }

  /// Returns the preferred key of a command, as help and hints spell it.
  public func label(_ command: ProgramCommand) -> String? {
    sequences[command]?.first.map(\.label)
  }
}

extension KeySequence {
  /// The spelling in help and hints: `gg`, `Ctrl-d`, `↓`.
  public nonisolated var label: String { keys.map(\.label).joined() }
}

extension Key {
  public nonisolated var label: String {
    switch self {
    case .up: return "↑"
    case .down: return "↓"
    case .left: return "←"
    case .right: return "→"
    default: return name ?? ""
    }
  }
}
