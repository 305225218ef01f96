import FeedModel
import Wording

extension Remedy {
  /// Returns the key and its effect, for the problems screen.
  package func hint(_ keys: (Command) -> String?) -> String? {
    func key(_ command: Command, _ does: String) -> String? {
      keys(command).map { "\($0) \(does)" }
    }
    switch self {
    case .wait: return key(.refresh, "retry now")
    case .leaveAlone: return "Nothing to do; Weir will try again"
    case .signIn: return key(.editAddress, "add user and password to the address")
    case .editAddress: return key(.editAddress, "correct the address")
    case .chooseHeadlines: return key(.editAddress, "choose the headlines again")
    case .useNewAddress: return key(.useNewAddress, "use the new address")
    case .unsubscribe: return key(.unsubscribe, "unsubscribe")
    case .mendSource: return key(.refresh, "retry once it\u{2019}s corrected")
    case .examineCache: return key(.refresh, "retry")
    }
  }
}
