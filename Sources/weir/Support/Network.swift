import FeedStore
import Networking
import SyncEngine

/// What of the network the program makes; nothing of it exists before it is needed.
enum Network {
  /// - Parameter fixedWidth: in the place of a width that follows the line.
  static func controller(_ session: Session, fixedWidth: Int? = nil) -> NetworkController {
    var configuration = session.configuration.engine(directory: session.paths.data)
    configuration.secret = session.secret
    if let fixedWidth { configuration.widthController = { _ in FixedWidth(fixedWidth) } }
    return NetworkController(
      store: session.store, transport: { CurlTransport(userAgent: Program.userAgent) },
      configuration: configuration)
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
