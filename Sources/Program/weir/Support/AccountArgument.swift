import FeedModel
import FeedStore
import ProgramSettings
import Wording

/// Finds the account of an argument: its number, its title, or a unique part of its address or
/// user.
enum AccountArgument {
  /// - Parameter texts: the arguments; empty for all accounts.
  static func find(_ texts: [String], in store: FeedStore) throws -> [Account] {
    let accounts = try store.reader.accounts.all()
    return texts.isEmpty
      ? accounts : try texts.map { try find($0, among: accounts) }.withoutDuplicates
  }

  static func find(_ text: String, in store: FeedStore) throws -> Account {
    try find(text, among: store.reader.accounts.all())
  }

  private static func find(_ text: String, among accounts: [Account]) throws -> Account {
    if let number = Int64(text), let account = accounts.first(where: { $0.id.rawValue == number }) {
      return account
    }
    let wanted = text.lowercased()
    let same = accounts.filter { $0.title.lowercased() == wanted }
    let candidates =
      same.isEmpty
      ? accounts.filter { account in
        [account.title, account.url, account.user].contains { $0.lowercased().contains(wanted) }
      } : same
    switch candidates.count {
    case 1: return candidates[0]
    case 0:
      throw CommandFailure(
        "No account matches \u{201C}\(text)\u{201D}. \u{201C}weir account list\u{201D} lists them.")
    default:
      let names = candidates.map { account in
        "\(account.id.rawValue) \(AccountWording.owner(user: account.user, url: account.url))"
      }
      throw CommandFailure(
        "\(candidates.count) accounts match \u{201C}\(text)\u{201D}: \(names.joined(separator: ", ")). "
          + "Give the number.")
    }
  }
}
