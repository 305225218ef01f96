import FeedStore
import Networking
import SyncEngine

/// What of the network the program makes; nothing of it exists before it is needed.
enum Network {
  static func controller(_ session: Session) -> NetworkController {
    NetworkController(
      store: session.store, transport: { CurlTransport(userAgent: Program.userAgent) },
      configuration: session.configuration.sync.engine(directory: session.paths.data))
  }

  static func discoverer(_ configuration: Configuration) -> FeedDiscoverer {
    FeedDiscoverer(
      transport: CurlTransport(userAgent: Program.userAgent),
      limits: configuration.sync.engine(directory: "").limits)
  }
}

extension Session {
  func discoverer() -> FeedDiscoverer { Network.discoverer(configuration) }
}
