/// Remote accounts: their settings, changes to be sent, and the states of their servers.
public struct AccountCache: Sendable {
  let database: CacheDatabase
}
