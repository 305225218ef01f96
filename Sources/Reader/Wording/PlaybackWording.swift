public import FeedModel

/// The playback positions of files, in words.
public enum PlaybackWording {
  /// Returns text like "at 12:31 of 48:00" or "played"; `nil` if the file was not played.
  public static func place(_ playback: Playback?) -> String? {
    guard let playback else { return nil }
    if playback.isFinished { return "played" }
    guard let position = playback.resumesAt else { return nil }
    let whole = playback.duration.flatMap { $0 > position ? " of \(clock($0))" : nil }
    return "at \(clock(position))" + (whole ?? "")
  }

  /// Returns text like "Playing “Episode 12” at 12:31".
  public static func playing(_ name: String, from playback: Playback?) -> String {
    "Playing \u{201C}\(name)\u{201D}" + (playback?.resumesAt.map { " at \(clock($0))" } ?? "")
  }

  /// Formats seconds like "0:09", "12:31" or "1:02:03".
  public static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds > 0, seconds < 1e7 else { return "0:00" }
    let whole = Int(seconds)
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    let end = DateWording.two(whole % 60)
    return hours > 0 ? "\(hours):\(DateWording.two(minutes)):\(end)" : "\(minutes):\(end)"
  }
}
