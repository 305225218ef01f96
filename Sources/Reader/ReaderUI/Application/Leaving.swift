/// The two key presses that end the reader from its first screen: the first one announces the
/// effect of the second one.
struct QuitConfirmation {
  private var commandCount = 0
  private var announcedAt: Int?
  var isQuitting = false

  mutating func keyPressed() { commandCount += 1 }

  /// Returns true if the previous command announced the key; otherwise announces it.
  mutating func confirms() -> Bool {
    if announcedAt == commandCount - 1 { return true }
    announcedAt = commandCount
    return false
  }
}
