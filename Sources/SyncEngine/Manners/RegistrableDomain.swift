import Foundation

/// The domain that somebody registered, which a host belongs to: `example.co.uk` for
/// `feeds.example.co.uk`. By a rule instead of the Public Suffix List, whose 9,000 lines are for cookies,
/// where a mistake is a hole; here it makes a pause too narrow, or, of strangers under one roof
/// (`blogspot.com`), too wide until one of them answers.
enum RegistrableDomain {
  /// Labels under which countries register, and which are longer than three letters.
  private static let longSuffixes: Set<String> = [
    "asso", "coop", "firm", "geek", "gouv", "gove", "govt", "info", "maori", "museum", "name",
    "priv", "school",
  ]

  /// Nil for an address of numbers and for a name without a dot.
  /// - Parameter host: its `WebAddress.hostKey`.
  static func of(_ host: String) -> String? {
    let labels = host.split(separator: ".")
    guard labels.count >= 2, let top = labels.last, !host.hasPrefix("["),
      !top.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let second = labels[labels.count - 2]
    // co.uk, com.br, ac.jp, …; a short name of a company is taken for one too, and its domain is
    // then the host's own.
    let isSuffix =
      top.utf8.count == 2 && (second.utf8.count <= 3 || longSuffixes.contains(String(second)))
    return labels.suffix(isSuffix ? 3 : 2).joined(separator: ".")
  }
}
