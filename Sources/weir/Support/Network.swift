import FeedStore
import Networking
import SyncEngine

/// What of the network the program makes; nothing of it exists before it is needed.
enum Network {
  static func controller(_ session: Session) -> NetworkController {
    NetworkController(
      store: session.store, transport: { CurlTransport(userAgent: Program.userAgent) },
      configuration: session.configuration.engine(directory: session.paths.data))
  }

  static func discoverer(_ configuration: Configuration) -> FeedDiscoverer {
    let engine = configuration.engine(directory: "")
    return FeedDiscoverer(
      transport: CurlTransport(userAgent: Program.userAgent), limits: engine.limits,
      settings: engine.settings)
  }
}

extension Session {
  func discoverer() -> FeedDiscoverer { Network.discoverer(configuration) }
}
