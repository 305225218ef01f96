// swift-tools-version: 6.2

// Programs that use Weir's libraries as another package does. `make examples` builds and runs them.
import PackageDescription

let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "weir", path: "../..")],
  targets: [
    .executableTarget(
      name: "PrintFeed", dependencies: [.product(name: "FeedParsing", package: "weir")]),
    .executableTarget(
      name: "SanitiseHTML", dependencies: [.product(name: "HTMLContent", package: "weir")]),
    .executableTarget(
      name: "RenderArticle",
      dependencies: [
        .product(name: "ArticleText", package: "weir"),
        .product(name: "HTMLContent", package: "weir"),
      ]),
    .executableTarget(
      name: "ShowList",
      dependencies: [
        .product(name: "NcursesTerminal", package: "weir"),
        .product(name: "TerminalKit", package: "weir"),
        .product(name: "TerminalViews", package: "weir"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ]
)
