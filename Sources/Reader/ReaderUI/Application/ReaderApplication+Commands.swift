import Foundation
import TerminalViews

extension ReaderApplication: CommandTarget, ReaderEvents {
  package func carryOut(_ command: Command) { perform(Invocation(command)) }

  /// The handler of a command at the focus; `nil` if it has none.
  package func binding(for command: Command) -> Binding? {
    messageBindings.first(for: command) ?? browser.focused.binding(for: command)
      ?? browser.binding(for: command) ?? bindings.first(for: command)
  }

  /// Runs the commands of a key or of a line of the help in order, and says why one cannot act.
  func run(_ invocations: [Invocation], count: Int? = nil, isChosen: Bool = false) {
    for invocation in invocations {
      if perform(invocation, count: count, isChosen: isChosen) { continue }
      context.note(invocation.command.idleReason(in: browser.focused.commandContext))
    }
  }

  /// Runs the command of a key, a macro or the palette at the focus. Returns `false` if nothing
  /// handles it there.
  @discardableResult
  func perform(_ invocation: Invocation, count: Int? = nil, isChosen: Bool = false) -> Bool {
    let command = invocation.command
    quitting.keyPressed()
    context.invalidate()
    let focused = browser.focused
    focused.willPerform(command)
    guard let binding = binding(for: command) else { return false }
    if let reason = binding.reason() {
      context.note(reason)
    } else if command.argument != nil, invocation.argument == nil {
      ask(for: command, binding.choices())
    } else {
      binding.action(Binding.Call(count: count, argument: invocation.argument, isChosen: isChosen))
    }
    focused.didPerform()
    return true
  }

  /// Asks for the argument of a command, with a list or in the command line.
  private func ask(for command: Command, _ choices: ArgumentChoices?) {
    guard let words = command.argument?.picker else { return openPalette(command) }
    let known = command.knownArguments(in: browser.focused.commandContext)
    let choices = choices ?? ArgumentChoices(all: known ?? [])
    browser.ask(
      Picker(words.label, choices, new: words.new) { [weak self] in
        self?.binding(for: command)?.effect($0)
      } chosen: { [weak self] values in
        self?.perform(
          Invocation(command, values.joined(separator: String(choices.separator ?? " "))),
          isChosen: true)
      })
  }

  func openPalette(_ command: Command? = nil) {
    let text = command.map { "\($0.name) \(binding(for: $0)?.choices()?.current ?? "")" }
    browser.ask(
      CommandPrompt(
        text: text ?? "", context: context, place: browser.focused.commandContext,
        binding: { [weak self] in self?.binding(for: $0) }
      ) { [weak self] in self?.perform($0, isChosen: true) })
  }

  func refresh(_ scope: RefreshScope) {
    PullToRefresh(context: context, refreshes: refreshes).refresh(scope)
  }
}
