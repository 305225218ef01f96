import FeedModel

extension StoreDatabase {
  var allowedPrograms: AllowedPrograms {
    AllowedPrograms(directory: FilePath.folder(of: path))
  }
}

extension FetchWork {
  /// Returns `true` for an address that runs no program, and for a program that the user allowed
  /// on this machine.
  public func mayRun(_ address: String) -> Bool {
    AllowedPrograms.command(of: address).map(database.allowedPrograms.contains) ?? true
  }
}

extension AccountCache {
  /// Returns `true` if the user allowed the command for passwords on this machine.
  public func mayRun(passwordCommand words: [String]) -> Bool {
    database.allowedPrograms.contains(AllowedPrograms.command(ofPassword: words))
  }

  func allow(_ words: [String]) throws(StoreError) {
    try database.allowedPrograms.allow([AllowedPrograms.command(ofPassword: words)])
  }
}
