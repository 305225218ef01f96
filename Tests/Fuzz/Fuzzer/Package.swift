// swift-tools-version: 6.2
// The fuzzing program: the pure targets of the house, built with libFuzzer's and the address
// sanitiser's instrumentation. A package of its own, so that the house's build knows nothing of it and
// this one needs none of the house's dependencies; the folders in Sources are links.
import PackageDescription

let swift: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"]),
]

let package = Package(
  name: "fuzzer",
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .target(name: "FeedModel", swiftSettings: swift),
    .target(name: "HTMLContent", dependencies: ["FeedModel", "CLibXML2"], swiftSettings: swift),
    .target(
      name: "FeedParsing", dependencies: ["FeedModel", "HTMLContent", "CLibXML2"],
      swiftSettings: swift),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "Networking", dependencies: ["FeedModel", "CCurl"], swiftSettings: swift),
    .target(
      name: "RemoteAccounts", dependencies: ["FeedModel", "Networking"], swiftSettings: swift),
    .executableTarget(
      name: "fuzz",
      dependencies: ["FeedModel", "HTMLContent", "FeedParsing", "Networking", "RemoteAccounts"],
      swiftSettings: swift,
      // The gold linker stumbles over what the address sanitiser brings.
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ]
)
