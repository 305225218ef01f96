/// The effect that the highlighted command or value would have now, in words that may arrive later.
package final class EffectText {
  /// Passes the words to `show`, at once or when they have been counted. Releasing the token
  /// cancels the count.
  package typealias Source = (_ show: @escaping (String) -> Void) -> TimerToken?

  /// Empty while nothing is known.
  package private(set) var text = ""
  private var subject: AnyHashable?
  private var counting: TimerToken?

  package init() {}

  /// Reads the words for another subject; does nothing if the subject is the same.
  package func read(of subject: AnyHashable?, _ source: @autoclosure () -> Source?) {
    guard subject != self.subject else { return }
    (self.subject, text) = (subject, "")
    counting = source()?({ [weak self] in if self?.subject == subject { self?.text = $0 } })
  }
}
