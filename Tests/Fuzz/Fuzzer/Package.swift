// swift-tools-version: 6.2

// The fuzzing program: the pure targets, built with the instrumentation of libFuzzer and the
// address sanitiser. It is a separate package, so that it does not affect the program's build; the
// folders in Sources are links.
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
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")],
  targets: [
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "PatternMatching", dependencies: ["CRE2"], swiftSettings: swift),
    .target(name: "CXXHash"),
    .target(
      name: "FeedModel", dependencies: ["PatternMatching", "CXXHash"], swiftSettings: swift),
    .target(name: "TextRules", dependencies: ["FeedModel"], swiftSettings: swift),
    .target(
      name: "HTMLContent", dependencies: ["FeedModel", "TextRules"],
      swiftSettings: swift),
    .target(
      name: "FeedParsing", dependencies: ["FeedModel", "TextRules", "HTMLContent"],
      swiftSettings: swift),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(
      name: "Networking", dependencies: ["FeedModel", "TextRules", "CCurl"],
      swiftSettings: swift),
    .target(
      name: "RemoteAccounts", dependencies: ["FeedModel", "Networking"], swiftSettings: swift),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "CacheCore",
      dependencies: ["FeedModel", "CSQLite", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: swift),
    .target(
      name: "ArticleStore",
      dependencies: [
        "CacheCore", "FeedModel", "TextRules", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: swift),
    .target(
      name: "MediaStore",
      dependencies: [
        "ArticleStore", "CacheCore", "FeedModel", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: swift),
    .target(
      name: "AccountStore",
      dependencies: [
        "ArticleStore", "CacheCore", "FeedModel", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: swift),
    .target(
      name: "EngineStore",
      dependencies: [
        "ArticleStore", "CacheCore", "FeedModel", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: swift),
    .target(
      name: "PlanStore",
      dependencies: [
        "MediaStore", "ArticleStore", "CacheCore", "FeedModel",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: swift),
    .target(
      name: "SearchStore",
      dependencies: [
        "PlanStore", "MediaStore", "ArticleStore", "CacheCore", "FeedModel", "PatternMatching",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: swift),
    .target(name: "FolderSync", dependencies: ["FeedModel"], swiftSettings: swift),
    .target(
      name: "FolderStore",
      dependencies: [
        "SearchStore", "PlanStore", "ArticleStore", "CacheCore", "FeedModel", "FolderSync",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: swift),
    .target(
      name: "FeedStore",
      dependencies: [
        "FolderStore", "SearchStore", "PlanStore", "AccountStore", "EngineStore", "MediaStore",
        "ArticleStore",
        "CacheCore",
        "FeedModel", "CSQLite", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: swift),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "FeedModel", "TextRules", "HTMLContent", "FeedParsing", "FeedStore", "Networking",
        "RemoteAccounts",
      ],
      swiftSettings: swift,
      // The gold linker fails on the parts of the address sanitiser.
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ],
  cxxLanguageStandard: .cxx17
)
