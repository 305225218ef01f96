import FeedModel
import FeedStore
import TerminalKit

/// What travels up the responder chain until somebody takes it.
enum InterfaceEvent {
  /// A key's meaning. The count is as typed; nil: none.
  case command(Command, count: Int?)
  /// A command that takes an argument, with it.
  case given(Command, String)
  /// Another list is selected or opened in the feeds; `opens`: the reader wants to go there.
  case showList(ListSource, opens: Bool)
  /// An article is to be read.
  case openArticle(ArticleID)
  /// What can be set about a feed is to be shown.
  case editFeed(Feed)
  /// A hit is to be read, and the search to become a list around it.
  case openHit(HitList, ArticleRow)
  /// A sheet has done its work.
  case closeSheet
  /// Something was added and is to be selected.
  case reveal(ListSource)
  /// The question or text field of the status line.
  case ask(any Prompt)
  /// The prompt has ended, well or not.
  case endPrompt
  /// An address is to be opened outside, after a question where it is not a web page.
  case follow(String)
}

/// A link of the chain from the focused part of the screen to the application.
protocol Responder: AnyObject {
  /// Who is asked next.
  var nextResponder: (any Responder)? { get }
  /// Takes the event, or leaves it (false).
  func respond(to event: InterfaceEvent) -> Bool
  /// What a command can be given here; nil: unknown here.
  func choices(for command: Command) -> ArgumentChoices?
}

extension Responder {
  func choices(for command: Command) -> ArgumentChoices? { nil }

  /// The choices of the first in the chain that has some.
  func offered(for command: Command) -> ArgumentChoices? {
    choices(for: command) ?? nextResponder?.offered(for: command)
  }

  /// Sends an event up the chain, beginning here. False where nobody took it.
  @discardableResult
  func send(_ event: InterfaceEvent) -> Bool {
    var responder: (any Responder)? = self
    while let current = responder {
      if current.respond(to: event) { return true }
      responder = current.nextResponder
    }
    return false
  }
}
