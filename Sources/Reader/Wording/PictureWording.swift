/// Texts about pictures in articles.
public enum PictureWording {
  public static let waiting = "loading\u{2026}"
  /// Text that is shown after two pictures took too long to decode.
  public static let paused = "waits a minute; two pictures took too long"
  public static let beyondArticle =
    "not fetched; this article\u{2019}s pictures exceed \(PictureLimits.article >> 20) MB"
  public static let offline = "waits for the network"

  /// Returns the reason why a picture is not shown, without a full stop.
  public static func reason(_ refusal: PictureRefusal) -> String {
    switch refusal {
    case .notAPicture: "the server sent something that isn\u{2019}t a picture"
    case .otherKind: "Weir can\u{2019}t show pictures of this format"
    case .damaged: "the picture is damaged"
    case .tooManyPixels: "the picture is too large"
    case .tracker: "it only counts readers"
    }
  }

  public static func reason(
    _ failure: RefreshFailure, of url: String, _ wording: FailureWording
  ) -> String {
    if failure.kind == .tooLarge { return reason(.tooManyPixels) }
    let subject = FailureWording.subject(url)
    if let status = failure.status, [404, 410].contains(status) {
      return "\(subject) has no such picture (\(status))"
    }
    return wording.happened(failure, subject: subject)
  }

  /// Returns text like "21 pictures are missing · I retries".
  public static func missing(_ count: Int, key: String?) -> String {
    (count == 1 ? "1 picture is missing" : "\(AmountWording.grouped(count)) pictures are missing")
      + (key.map { " \u{B7} \($0) retries" } ?? "")
  }

  public static let retrying = "Fetching the missing pictures again"

  /// Returns the message after the key that shows or hides pictures.
  public static func shown(_ areShown: Bool, key: String?) -> String {
    guard !areShown else { return "Pictures are shown" }
    return "Pictures are hidden" + (key.map { "; \($0) shows them" } ?? "")
  }

  public static let none = "This article has no pictures"
  public static let noneWithNumber = "No picture has this number"
  public static let off = "Pictures are off in the configuration"
  public static let noColors = "Pictures need a terminal with colours"
}
