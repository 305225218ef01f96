package import CacheCore
import FeedModel

extension StoreDatabase {
  package var allowedPrograms: AllowedPrograms {
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
