/// The two presses of a key that leave the reader from its first screen: the first one announces
/// what the second one does.
struct Leaving {
  private var commandCount = 0
  private var announcedAt: Int?
  var isQuitting = false

  mutating func keyPressed() { commandCount += 1 }

  /// Returns true if the key was announced by the command before; announces it otherwise.
  mutating func confirms() -> Bool {
    if announcedAt == commandCount - 1 { return true }
    announcedAt = commandCount
    return false
  }
}
