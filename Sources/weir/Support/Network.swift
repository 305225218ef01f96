import FeedStore
import Networking
import SyncEngine

/// What of the network the program makes; nothing of it exists before it is needed.
enum Network {
  /// - Parameter fixedWidth: in the place of a width that follows the line.
  static func controller(_ session: Session, fixedWidth: Int? = nil) -> NetworkController {
    var configuration = session.configuration.sync.engine(directory: session.paths.data)
    if let fixedWidth { configuration.widthController = { _ in FixedWidth(fixedWidth) } }
    return NetworkController(
      store: session.store, transport: { CurlTransport(userAgent: Program.userAgent) },
      configuration: configuration)
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
