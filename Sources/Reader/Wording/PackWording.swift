/// Packs, in words.
public enum PackWording {
  /// Returns the state of a pack, like "71 % · 4 h 10 readable · 63 MB of 200 MB" or
  /// "stopped · 4 h 10 readable · 63 MB of 200 MB · 3 failed".
  public static func result(_ pack: Pack) -> String {
    let (received, budget) = (Double(pack.received), Double(pack.budget))
    var parts = [
      state(pack), "\(minutes(pack.readableMinutes)) readable",
      "\(AmountWording.bytes(received)) of \(AmountWording.bytes(budget))",
    ]
    if !pack.isOpen, pack[.failed] > 0 {
      parts.append("\(AmountWording.grouped(pack[.failed])) failed")
    }
    if !pack.isOpen, pack[.leftOut] > 0 {
      let things = AmountWording.count(pack[.leftOut], "part", "parts")
      parts.append("\(things) left out to stay within the budget")
    }
    return parts.joined(separator: " \u{00B7} ")
  }

  private static func state(_ pack: Pack) -> String {
    switch pack.end {
    case nil: "\(min(99, Int(pack.share * 100))) %"
    case .complete: "complete: no more articles"
    case .budget: "ready: no more fits into the budget"
    case .stopped: "stopped"
    case .diskFull: "stopped because the disk is full"
    }
  }

  /// Returns the reason of a failure, like "lwn.net has no such page (404)".
  public static func reason(_ part: FailedPackItem, _ dates: DateWording) -> String {
    if let refusal = part.refusal { return PictureWording.reason(refusal) }
    guard let failure = part.failure else { return "not received" }
    let wording = FailureWording(dates: dates)
    return part.stage == .picture
      ? PictureWording.reason(failure, of: part.url, wording)
      : wording.happened(failure, at: part.url)
  }

  /// Returns text like "23 articles, 4 h 10 to read; 12 texts to fetch".
  public static func plan(_ pack: Pack) -> String {
    let articles = AmountWording.articles(pack.articles)
    let head = "\(articles), \(minutes(pack.minutes)) to read"
    let parts = [
      (pack[.text, .waiting], "text", "texts"), (pack[.picture, .waiting], "picture", "pictures"),
      (pack[.audio, .waiting], "audio file", "audio files"),
    ].filter { $0.0 > 0 }.map { AmountWording.count($0.0, $0.1, $0.2) }
    return parts.isEmpty
      ? "\(head); nothing to fetch" : "\(head); \(AmountWording.list(parts)) to fetch"
  }

  private static func minutes(_ minutes: Int) -> String {
    minutes > 0 ? AmountWording.duration(Double(minutes) * 60) : "0 min"
  }
}
