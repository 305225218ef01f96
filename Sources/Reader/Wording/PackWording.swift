import Foundation

/// Packs, in words.
public struct PackWording {
  /// Formats the times in sentences.
  public let dates: DateWording

  public init(dates: DateWording) { self.dates = dates }

  /// Returns text like "71 % · 4 h 10 readable · 63 MB of 200 MB · ready about 07:31".
  public func progress(_ pack: Pack) -> String {
    var parts = [
      "\(min(99, Int(pack.share * 100))) %", "\(Self.minutes(pack.readableMinutes)) readable",
      Self.used(pack),
    ]
    if let left = pack.timeLeft, left > .zero {
      parts.append("ready about \(dates.moment(dates.now + left / .seconds(1)))")
    }
    if let dueAt = pack.dueAt { parts.append("wanted at \(dates.moment(dueAt))") }
    return parts.joined(separator: " \u{00B7} ")
  }

  /// Returns the result of a finished pack, like "stopped · 4 h 10 readable · 63 MB of 200 MB · 3
  /// failed".
  public func result(_ pack: Pack) -> String {
    guard let end = pack.end else { return progress(pack) }
    var parts = [
      Self.sentence(end), "\(Self.minutes(pack.readableMinutes)) readable", Self.used(pack),
    ]
    if pack.failed > 0 { parts.append("\(AmountWording.grouped(pack.failed)) failed") }
    if pack.leftOut > 0 {
      let things = AmountWording.count(pack.leftOut, "part", "parts")
      parts.append("\(things) left out to stay within the budget")
    }
    return parts.joined(separator: " \u{00B7} ")
  }

  /// Returns the reason of a failure, like "lwn.net has no such page (404)".
  public func reason(_ part: FailedPackItem) -> String {
    if let refusal = part.refusal { return PictureWording.reason(refusal) }
    guard let failure = part.failure else { return "not received" }
    let wording = FailureWording(dates: dates)
    return part.stage == .picture
      ? PictureWording.reason(failure, of: part.url, wording)
      : wording.happened(failure, subject: FailureWording.subject(part.url))
  }

  /// Returns text like "23 articles, 4 h 10 to read; 12 texts to fetch, about 14 MB".
  public static func plan(_ pack: Pack, minutes: Int) -> String {
    let articles = AmountWording.count(pack.articles, "article", "articles")
    let head = "\(articles), \(Self.minutes(minutes)) to read"
    let parts = [
      (pack[.text].waiting, "text", "texts"), (pack[.picture].waiting, "picture", "pictures"),
      (pack[.discussion].waiting, "discussion", "discussions"),
      (pack[.audio].waiting, "audio file", "audio files"),
    ].filter { $0.0 > 0 }.map { AmountWording.count($0.0, $0.1, $0.2) }
    guard !parts.isEmpty else { return "\(head); nothing to fetch" }
    return head + "; \(AmountWording.list(parts)) to fetch, about "
      + AmountWording.bytes(Double(pack.expected))
  }

  /// Returns a sentence about the articles that are not in the pack.
  /// - Parameter isEnough: true if the pack has enough to read without them.
  public static func rest(_ count: Int, isEnough: Bool) -> String {
    isEnough
      ? AmountWording.count(count, "article", "articles") + " left out; raise --hours to add them"
      : AmountWording.count(count, "more article follows", "more articles follow")
        + " if there is room; raise --budget to add them"
  }

  /// Returns the effect of a slow network, like "The network is slow: this takes about 12 min.";
  /// `nil` if there is none.
  /// - Parameter budget: bytes that the user allows.
  public func limits(_ pack: Pack, budget: Int64, on network: PackNetwork?) -> String? {
    guard let network, network.isSlow else { return nil }
    if let dueAt = pack.dueAt {
      guard pack.budget < budget else { return nil }
      let bytes = AmountWording.bytes(Double(pack.budget))
      return "The network is slow: about \(bytes) will arrive by \(dates.moment(dueAt)), "
        + "texts before pictures; the rest is left out"
    }
    let seconds = Double(pack.expected) / network.usualRate
    guard seconds >= Self.long else { return nil }
    return "The network is slow: this takes about \(AmountWording.duration(seconds)). "
      + "Set a time with --by to leave out the rest"
  }

  /// Seconds from which a download counts as long.
  private static let long = 600.0

  private static func sentence(_ end: Pack.End) -> String {
    switch end {
    case .complete: "complete: no more articles"
    case .minutes: "complete: enough to read"
    case .budget: "ready: no more fits into the budget"
    case .stopped: "stopped"
    case .diskFull: "stopped because the disk is full"
    }
  }

  private static func used(_ pack: Pack) -> String {
    "\(AmountWording.bytes(Double(pack.received))) of \(AmountWording.bytes(Double(pack.budget)))"
  }

  /// Returns text like "93 % offline", for a list.
  public static func offline(_ percent: Int) -> String { "\(percent) % offline" }

  /// Returns a duration, like "47 min", "4 h 10" or "0 min".
  public static func minutes(_ minutes: Int) -> String {
    minutes > 0 ? AmountWording.duration(Double(minutes) * 60) : "0 min"
  }
}
