// swift-tools-version: 6.2
// The targets and who may import whom. Tests/ArchitectureTests holds the same table
// against the sources: a forbidden import is a failing test with its file and line.
import Foundation
import PackageDescription

/// Warnings are errors where the whole suite is judged (continuous integration), so that a newer
/// compiler's new warning does not stop somebody who only wants to build.
let strict: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let swift: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ] + strict

/// Targets that live on the screen's thread.
let mainActor: [SwiftSetting] = swift + [.defaultIsolation(MainActor.self)]

/// RE2 since 2023 uses Abseil, which its archive does not contain; its shared library finds it.
let re2NeedsAbseil = FileManager.default.fileExists(
  atPath: "/usr/include/absl/base/config.h")

/// The commit that is built, for `weir --version`; empty outside a git repository.
let commit =
  Context.gitInformation.map { $0.currentCommit.prefix(9) + ($0.hasUncommittedChanges ? "+" : "") }
  ?? ""

let package = Package(
  name: "weir",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "weir", targets: ["weir"]),
    // Libraries for other programs; Tests/Examples has one program for each.
    .library(name: "FeedParsing", targets: ["FeedParsing"]),
    .library(name: "HTMLContent", targets: ["HTMLContent"]),
    .library(name: "ArticleText", targets: ["ArticleText"]),
    .library(name: "TerminalKit", targets: ["TerminalKit"]),
    .library(name: "TerminalViews", targets: ["TerminalViews"]),
    .library(name: "NcursesTerminal", targets: ["NcursesTerminal"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
  ],
  targets: [
    // System libraries: a module map and typed inline wrappers, no code of their own.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])]),
    .target(name: "CXXHash"),
    .target(name: "CProcess"),
    .target(
      name: "CNcurses",
      linkerSettings: [
        .linkedLibrary("ncursesw", .when(platforms: [.linux])),
        .linkedLibrary("tinfo", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),

    .target(name: "CBuild", cSettings: [.define("WEIR_COMMIT", to: "\"\(commit)\"")]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    // The decoders of pictures are part of the program, so that no other command loads them; see
    // Decisions/0031.
    .target(
      name: "CPictures",
      linkerSettings: ["jpeg", "png16", "webpdemux", "webp", "gif"].flatMap { name in
        [
          LinkerSetting.linkedLibrary(":lib\(name).a", .when(platforms: [.linux])),
          LinkerSetting.linkedLibrary(
            name == "png16" ? "png" : name, .when(platforms: [.macOS])),
        ]
      } + [.linkedLibrary("z"), .linkedLibrary("m", .when(platforms: [.linux]))]),
    // Linked into the program on Linux where that takes nothing else: decision 0029.
    .target(
      name: "CRE2",
      linkerSettings: [
        .linkedLibrary(re2NeedsAbseil ? "re2" : ":libre2.a", .when(platforms: [.linux])),
        .linkedLibrary("re2", .when(platforms: [.macOS])),
      ]),

    // Pure: no I/O.
    .target(name: "PatternMatching", dependencies: ["CRE2"], swiftSettings: swift),
    .target(
      name: "FeedModel", dependencies: ["PatternMatching", "CXXHash"], swiftSettings: swift),
    .target(
      name: "TextRules", dependencies: ["FeedModel"], swiftSettings: swift,
      // Part of the C library on Linux.
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    .target(
      name: "HTMLContent", dependencies: ["FeedModel", "TextRules"],
      swiftSettings: swift),
    .target(
      name: "FeedParsing", dependencies: ["FeedModel", "TextRules", "HTMLContent"],
      swiftSettings: swift),
    .target(
      name: "ArticleText", dependencies: ["FeedModel", "TextRules", "HTMLContent"],
      swiftSettings: swift),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    // Articles as a book for an e-reader.
    .target(
      name: "Books", dependencies: ["CZlib", "HTMLContent", "TextRules"], swiftSettings: swift),
    // Entries that devices exchange through a folder, and the state that they make.
    .target(name: "FolderSync", dependencies: ["FeedModel"], swiftSettings: swift),
    .target(name: "TerminalKit", swiftSettings: swift),

    // Network, disk and terminal.
    .target(
      name: "Networking", dependencies: ["FeedModel", "TextRules", "CCurl"],
      swiftSettings: swift),
    // The cache. The core knows the file and no feed; the stores are layers upon it; the root opens
    // them and hands out their facets.
    .target(
      name: "CacheCore",
      dependencies: ["FeedModel", "CSQLite", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: swift),
    .target(
      name: "ArticleStore",
      dependencies: [
        "CacheCore", "FeedModel", "TextRules", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: swift),
    .target(
      name: "MediaStore",
      dependencies: [
        "ArticleStore", "CacheCore", "FeedModel", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: swift),
    .target(
      name: "AccountStore",
      dependencies: [
        "ArticleStore", "CacheCore", "FeedModel", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: swift),
    .target(
      name: "EngineStore",
      dependencies: [
        "ArticleStore", "CacheCore", "FeedModel", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: swift),
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
    // The folder that devices share, beside the articles.
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
    // Reads and writes the files of the shared folder.
    .target(
      name: "FolderExchange", dependencies: ["FeedStore", "FolderSync"], swiftSettings: swift),
    .target(
      name: "RemoteAccounts", dependencies: ["FeedModel", "Networking"], swiftSettings: swift),
    .target(
      name: "RemoteSync",
      dependencies: ["FeedModel", "FeedParsing", "FeedStore", "Networking", "RemoteAccounts"],
      swiftSettings: swift),
    .target(
      name: "RateLimiting", dependencies: ["FeedModel", "FeedStore", "Networking", "CPSL"],
      swiftSettings: swift),
    // Starts the user's programs.
    .target(name: "Programs", dependencies: ["FeedModel"], swiftSettings: swift),
    // Judges the network and sets the concurrency limit: pure values.
    .target(
      name: "NetworkMeasurement", dependencies: ["FeedModel", "Networking"], swiftSettings: swift),
    .target(
      name: "SyncEngine",
      dependencies: [
        "FeedModel", "FeedParsing", "Networking", "NetworkMeasurement", "FeedStore",
        "FolderExchange", "RateLimiting", "RemoteAccounts", "RemoteSync", "Programs",
      ],
      swiftSettings: swift),
    .target(
      name: "NcursesTerminal", dependencies: ["TerminalKit", "CNcurses"], swiftSettings: mainActor),

    // Codes and values as sentences, for the screens and the commands.
    .target(
      name: "Wording",
      dependencies: ["FeedModel", "FolderSync", "PatternMatching", "TextRules", "FeedStore"],
      swiftSettings: swift),

    // Views for programs with lists, forms and keys. They know no feed.
    .target(name: "TerminalViews", dependencies: ["TerminalKit"], swiftSettings: mainActor),
    // Services for all screens: the commands, the cache, messages, and the actions of the program.
    .target(
      name: "ReaderServices",
      dependencies: ["TerminalViews", "FeedModel", "FeedStore", "TerminalKit", "Wording"],
      swiftSettings: mainActor),
    // The lists of articles and the open article.
    .target(
      name: "ArticleScreens",
      dependencies: [
        "ReaderServices", "TerminalViews", "FeedModel", "PatternMatching", "FeedStore",
        "ArticleText", "TerminalKit", "Wording",
      ],
      swiftSettings: mainActor),
    // The other screens, and the window that shows them all.
    .target(
      name: "ReaderUI",
      dependencies: [
        "ArticleScreens", "ReaderServices", "TerminalViews", "FeedModel", "FeedStore",
        "TerminalKit", "Wording",
      ],
      swiftSettings: mainActor),
    // The files of other readers, as feeds, articles, rules and settings of this one.
    .target(
      name: "ForeignLibraries",
      dependencies: [
        "FeedModel", "FeedParsing", "FeedStore", "HTMLContent", "TerminalKit",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: swift),
    // The configuration file and its settings, and what the program keeps beside it.
    .target(
      name: "ProgramSettings",
      dependencies: [
        "FeedModel", "Networking", "FeedStore", "SyncEngine", "TerminalKit", "TerminalViews",
        "ReaderServices", "ReaderUI", "Wording", .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      // In the binary itself: one file is the whole program.
      resources: [.embedInCode("config.toml")],
      swiftSettings: swift),
    // Passwords of accounts: asked for, stored, and looked up.
    .target(
      name: "AccountPasswords",
      dependencies: ["ProgramSettings", "FeedModel", "Programs", "Wording"], swiftSettings: swift),
    .executableTarget(
      name: "weir",
      dependencies: [
        "AccountPasswords",
        "ProgramSettings", "Books", "TextRules", "FolderExchange", "FolderSync",
        "ForeignLibraries", "FeedModel", "HTMLContent", "FeedParsing", "Networking",
        "NetworkMeasurement",
        "FeedStore", "SyncEngine", "RateLimiting", "RemoteAccounts", "Programs", "ArticleText",
        "TerminalKit", "TerminalViews", "NcursesTerminal", "ReaderServices", "ArticleScreens",
        "ReaderUI", "Wording",
        "CProcess",
        "CBuild", "CPictures",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      exclude: [
        "Documentation.docc", "Resources/weir.1", "Resources/config.toml", "Resources/packaging",
        "Resources/dates",
      ],
      // In the binary itself: one file is the whole program.
      resources: [
        .embedInCode("Resources/guide.xml"),
        .embedInCode("Resources/starter.opml"),
      ],
      swiftSettings: swift),

    // What tests share: a loopback origin that misbehaves on request, clocks set by hand.
    .target(
      name: "TestSupport", path: "Tests/TestSupport", exclude: ["Articles"], swiftSettings: swift),
    // Tests whose worth grows with their length; `make soak` runs their long forms.
    .target(name: "SoakSupport", path: "Tests/SoakSupport", swiftSettings: swift),
    // Scripted answers, and simulated networks and hosts for the concurrency limiter, of which
    // `make simulate` prints a table.
    .target(
      name: "SimulatedNetwork",
      dependencies: ["TestSupport", "NetworkMeasurement", "Networking", "FeedModel"],
      path: "Tests/SimulatedNetwork", swiftSettings: swift),
    .executableTarget(
      name: "simulate",
      dependencies: ["SimulatedNetwork", "TestSupport", "NetworkMeasurement", "FeedModel"],
      path: "Tests/Simulate", swiftSettings: swift),
    // `make screenshots`.
    .executableTarget(
      name: "screenshots", dependencies: ["TestSupport", "TerminalKit"],
      path: "Tests/Screenshots", swiftSettings: swift),
    // `make bench`, and the library that it measures the parser against.
    .systemLibrary(
      name: "CLibXML2", path: "Tests/CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "TestSupport", "FeedModel", "FeedParsing", "FeedStore", "HTMLContent", "CLibXML2",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ], path: "Tests/Bench", swiftSettings: swift),
    .testTarget(name: "ArchitectureTests", exclude: ["texts.txt"], swiftSettings: swift),
    // Draws the charts of Benchmarks.md: `make charts`.
    .testTarget(name: "BenchmarkTests", swiftSettings: swift),
    .testTarget(
      name: "FeedModelTests", dependencies: ["FeedModel", "PatternMatching", "TestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "FolderSyncTests",
      dependencies: ["FolderSync", "FeedModel", "SoakSupport", "TestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "BooksTests", dependencies: ["Books", "HTMLContent"], swiftSettings: swift),
    .testTarget(
      name: "PatternMatchingTests", dependencies: ["PatternMatching"], swiftSettings: swift),
    .testTarget(
      name: "HTMLContentTests",
      dependencies: ["TestSupport", "HTMLContent", "TextRules", "FeedModel"],
      exclude: ["Pages"],
      swiftSettings: swift),
    .testTarget(
      name: "FeedParsingTests", dependencies: ["TestSupport", "FeedParsing", "FeedModel"],
      exclude: ["Fixtures"], swiftSettings: swift),
    // The fuzzing program itself is a package of its own, Tests/Fuzz/Fuzzer: `make fuzz`.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "FeedParsing", "FeedStore", "HTMLContent", "TextRules", "FeedModel", "Networking",
        "RemoteAccounts",
      ],
      path: "Tests/Fuzz", exclude: ["Corpus", "Fuzzer"], swiftSettings: swift),
    .testTarget(
      name: "NetworkingTests",
      dependencies: ["Networking", "FeedModel", "SimulatedNetwork", "TestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "FeedStoreTests",
      dependencies: [
        "TestSupport", "SoakSupport", "FaultyDisk", "FeedStore", "FeedModel", "PatternMatching",
        "HTMLContent", "FolderSync", "FolderExchange",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Fixtures"], swiftSettings: swift),
    // SQLite's file layer with faults on demand.
    .target(
      name: "FaultyDisk", path: "Tests/FaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "RemoteAccountsTests",
      dependencies: ["RemoteAccounts", "Networking", "SimulatedNetwork", "TestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "SyncEngineTests",
      dependencies: [
        "SyncEngine", "NetworkMeasurement", "FeedStore", "FeedParsing", "Networking", "FeedModel",
        "RateLimiting", "RemoteAccounts", "RemoteSync", "Programs", "TestSupport",
        "SoakSupport", "SimulatedNetwork",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Records", "Sites"],
      swiftSettings: swift),
    .testTarget(
      name: "ArticleTextTests",
      dependencies: ["TestSupport", "ArticleText", "HTMLContent", "FeedModel"],
      swiftSettings: swift),
    .testTarget(
      name: "TerminalKitTests", dependencies: ["TerminalKit", "TestSupport"], swiftSettings: swift),
    .testTarget(
      name: "NcursesTerminalTests",
      dependencies: ["NcursesTerminal", "CNcurses", "TerminalKit", "TestSupport"],
      swiftSettings: mainActor),
    .testTarget(
      name: "ReaderUITests",
      dependencies: [
        "TestSupport", "ArticleScreens", "ReaderServices", "ReaderUI", "TerminalKit",
        "TerminalViews", "FeedStore", "FolderSync", "ArticleText",
        "FeedModel",
        "HTMLContent", "Wording", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Golden"], swiftSettings: mainActor),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "TestSupport", "weir", "AccountPasswords", "ProgramSettings", "FeedModel", "FeedParsing",
        "ForeignLibraries",
        "ReaderServices",
        "ReaderUI", "TerminalViews",
        "SyncEngine", "Wording",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: swift),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport", "SoakSupport", "FeedModel", "ProgramSettings", "weir", "terminalprobe",
      ],
      exclude: ["json.txt"],
      swiftSettings: swift),
    // Shows the real terminal to the end-to-end tests, without a reader around it.
    .executableTarget(
      name: "terminalprobe", dependencies: ["TerminalKit", "NcursesTerminal"],
      path: "Tests/TerminalProbe", swiftSettings: mainActor),
  ],
  cxxLanguageStandard: .cxx17
)

#if os(Linux)
  // `make netlab`: network namespaces and tunnel devices are Linux's.
  package.targets += [
    .systemLibrary(name: "CNamespaces", path: "Tests/CNamespaces"),
    .executableTarget(
      name: "netlab",
      dependencies: [
        "TestSupport", "CNamespaces", .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ], path: "Tests/NetLab", swiftSettings: swift),
  ]
#endif
