// swift-tools-version: 6.2
// The floors of Sources from the top, a line for each target with what it uses: targets of lower
// floors, and of its own floor those that it names. Tests/ArchitectureTests reads these lines: an
// import that is not named here is a failing test with its file and line.
import Foundation
import PackageDescription

// swift-format-ignore
let floors: [Target] = [
  program("Program/weir", """
    ProgramSettings Importers ReaderUI ArticleScreens ReaderServices Wording NcursesTerminal TerminalViews \
    TerminalKit SyncEngine RemoteAccounts FeedStore FolderStore Networking NetworkMeasurement FeedParsing \
    ArticleText HTMLContent Books TextRules FeedModel Programs CProcess CBuild CPictures ArgumentParser TOMLKit
    """, except: ["Documentation.docc"] + ["weir.1", "config.toml", "packaging", "dates"].map { "Resources/" + $0 },
    // In the binary itself: one file is the whole program.
    embed: ["Resources/guide.xml", "Resources/starter.opml"]),
  library("Program/ProgramSettings", """
    ReaderUI ReaderServices Wording TerminalViews TerminalKit SyncEngine FeedStore Networking FeedModel Programs TOMLKit
    """, embed: ["config.toml"]),
  library("Program/Importers", "FeedModel FeedParsing FeedStore HTMLContent TerminalKit GRDB"),

  screens("Reader/ReaderUI", "ArticleScreens ReaderServices TerminalViews FeedModel FeedStore TerminalKit Wording"),
  screens("Reader/ArticleScreens", "ReaderServices TerminalViews FeedModel FeedStore ArticleText TerminalKit Wording"),
  screens("Reader/ReaderServices", "TerminalViews FeedModel FeedStore TerminalKit Wording"),
  library("Reader/Wording", "FeedModel FolderStore TextRules FeedStore"),

  screens("Terminal/NcursesTerminal", "TerminalKit CNcurses"),
  screens("Terminal/TerminalViews", "TerminalKit"),
  library("Terminal/TerminalKit"),

  library("Sync/SyncEngine", """
    RemoteAccounts FeedStore FolderStore Networking NetworkMeasurement FeedParsing FeedModel Programs CPSL
    """),
  library("Sync/RemoteAccounts", "FeedModel Networking"),

  library("Cache/FeedStore", """
    FolderStore SearchStore WorkStore AccountStore ArticleStore CacheCore FeedModel CSQLite GRDB
    """),
  library("Cache/FolderStore", "SearchStore WorkStore ArticleStore CacheCore FeedModel GRDB"),
  library("Cache/SearchStore", "WorkStore ArticleStore CacheCore FeedModel GRDB"),
  library("Cache/WorkStore", "ArticleStore CacheCore FeedModel GRDB"),
  library("Cache/AccountStore", "ArticleStore CacheCore FeedModel GRDB"),
  library("Cache/ArticleStore", "CacheCore FeedModel TextRules CSQLite GRDB"),
  library("Cache/CacheCore", "FeedModel CSQLite GRDB"),

  library("Network/NetworkMeasurement", "FeedModel Networking"),
  library("Network/Networking", "FeedModel TextRules CCurl"),

  library("Text/FeedParsing", "FeedModel TextRules HTMLContent"),
  library("Text/ArticleText", "FeedModel TextRules HTMLContent"),
  library("Text/Books", "HTMLContent TextRules CZlib"),
  library("Text/HTMLContent", "FeedModel TextRules"),
  // iconv is part of the C library on Linux.
  library("Text/TextRules", "FeedModel", link: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),

  library("Model/FeedModel", "CRE2 CXXHash"),

  library("System/Programs"),
  header("System/CCurl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
  header("System/CPSL", "libpsl", apt: "libpsl-dev", brew: "libpsl"),
  // The commit that is built, for `weir --version`.
  code("System/CBuild", define: [.define("WEIR_COMMIT", to: "\"\(commit())\"")]),
  code("System/CNcurses", "ncursesw tinfo", macOS: "ncurses"),
  // Part of the program, so that no other command loads the decoders (decision 31).
  code("System/CPictures", """
    :libjpeg.a :libpng16.a :libwebpdemux.a :libwebp.a :libgif.a z m
    """, macOS: "jpeg png webpdemux webp gif z"),
  code("System/CProcess"),
  // Linked into the program where that takes nothing else (decision 29).
  code("System/CRE2", re2NeedsAbseil() ? "re2" : ":libre2.a", macOS: "re2"),
  code("System/CSQLite", "sqlite3"),
  code("System/CXXHash"),
  code("System/CZlib", "z"),
]

// swift-format-ignore
let testFloors: [Target] = [
  tests("ArchitectureTests", except: ["texts.txt"]),
  tests("Program/EndToEndTests", """
    TestSupport SoakSupport FeedModel ProgramSettings weir terminalprobe
    """, except: ["json.txt"]),
  tests("Program/ProgramTests", """
    TestSupport weir ProgramSettings FeedModel FeedParsing Importers ReaderServices ReaderUI TerminalViews SyncEngine \
    Wording ArgumentParser
    """),
  onScreen(tests("Reader/ReaderUITests", """
    TestSupport ArticleScreens ReaderServices ReaderUI TerminalKit TerminalViews FeedStore ArticleText FeedModel \
    FolderStore HTMLContent Wording GRDB
    """, except: ["Golden"])),
  onScreen(tests("Terminal/NcursesTerminalTests", "NcursesTerminal CNcurses TerminalKit TestSupport")),
  tests("Terminal/TerminalKitTests", "TerminalKit TestSupport"),
  tests("Sync/SyncEngineTests", """
    SyncEngine NetworkMeasurement FeedStore FeedParsing Networking FeedModel RemoteAccounts Programs TestSupport \
    SoakSupport SimulatedNetwork GRDB
    """, except: ["Records", "Sites"]),
  tests("Sync/RemoteAccountsTests", "RemoteAccounts Networking SimulatedNetwork TestSupport"),
  tests("Cache/FeedStoreTests", """
    TestSupport SoakSupport FaultyDisk FeedStore FolderStore FeedModel HTMLContent GRDB
    """, except: ["Fixtures"]),
  tests("Cache/FolderStoreTests", "FolderStore FeedModel SoakSupport TestSupport"),
  tests("Network/NetworkingTests", "Networking FeedModel SimulatedNetwork TestSupport"),
  tests("Text/FeedParsingTests", "TestSupport FeedParsing FeedModel", except: ["Fixtures"]),
  tests("Text/ArticleTextTests", "TestSupport ArticleText HTMLContent FeedModel"),
  tests("Text/BooksTests", "Books HTMLContent"),
  tests("Text/HTMLContentTests", "TestSupport HTMLContent TextRules FeedModel", except: ["Pages"]),
  tests("Model/FeedModelTests", "FeedModel TestSupport"),
]

// swift-format-ignore
let support: [Target] = [
  // What tests share: a loopback origin that misbehaves on request, clocks set by hand.
  library("Support/TestSupport", except: ["Articles"]),
  // Tests whose worth grows with their length; `make soak` runs their long forms.
  library("Support/SoakSupport"),
  // Scripted answers, and simulated networks and hosts for the concurrency limiter.
  library("Support/SimulatedNetwork", "TestSupport NetworkMeasurement Networking FeedModel"),
  // SQLite's file layer with faults on demand.
  code("Support/FaultyDisk", "sqlite3"),
]

// The fuzzer and the mutation test are packages of their own.
// swift-format-ignore
let tools: [Target] = [
  program("Tools/simulate", "SimulatedNetwork TestSupport NetworkMeasurement FeedModel"),
  program("Tools/screenshots", "TestSupport TerminalKit"),
  program("Tools/bench", "TestSupport FeedModel FeedParsing FeedStore HTMLContent CLibXML2 GRDBSQLite"),
  header("Tools/CLibXML2", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
  // Shows the real terminal to the end-to-end tests, without a reader around it.
  onScreen(program("Tools/terminalprobe", "TerminalKit NcursesTerminal")),
  tests("Tools/BenchmarkTests"),
  tests("Tools/FuzzTests", """
    FeedParsing FeedStore HTMLContent TextRules FeedModel Networking RemoteAccounts
    """, except: ["Corpus", "Fuzzer"]),
]

let package = Package(
  name: "weir",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "weir", targets: ["weir"])]
    // Libraries for other programs; Tests/Examples has one program for each.
    + [
      "FeedParsing", "HTMLContent", "ArticleText", "TerminalKit", "TerminalViews",
      "NcursesTerminal",
    ].map { .library(name: $0, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
  ],
  targets: below("Sources", floors) + below("Tests", testFloors + support + tools),
  cxxLanguageStandard: .cxx17
)

#if os(Linux)
  // `make netlab`: network namespaces and tunnel devices are Linux's.
  package.targets += below(
    "Tests",
    [
      .systemLibrary(name: "Tools/CNamespaces"),
      program("Tools/netlab", "TestSupport CNamespaces GRDBSQLite"),
    ])
#endif

/// Warnings are errors where the whole suite is judged (continuous integration), so that a newer
/// compiler's new warning does not stop somebody who only wants to build.
func settings() -> [SwiftSetting] {
  [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
  ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])
}

/// RE2 since 2023 uses Abseil, which its archive does not contain; its shared library finds it.
func re2NeedsAbseil() -> Bool {
  FileManager.default.fileExists(atPath: "/usr/include/absl/base/config.h")
}

/// The name of the commit that is built; empty outside a git repository.
func commit() -> String {
  guard let git = Context.gitInformation else { return "" }
  return git.currentCommit.prefix(9) + (git.hasUncommittedChanges ? "+" : "")
}

/// Gives targets, which are named by floor and name, their names and folders.
func below(_ folder: String, _ targets: [Target]) -> [Target] {
  for target in targets {
    target.path = "\(folder)/\(target.name)"
    target.name = String(target.name.split(separator: "/").last ?? "")
  }
  return targets
}

func named(_ names: String) -> [Target.Dependency] {
  let packages = [
    "GRDB": "GRDB.swift", "GRDBSQLite": "GRDB.swift", "TOMLKit": "TOMLKit",
    "ArgumentParser": "swift-argument-parser",
  ]
  return names.split(separator: " ").map(String.init).map { name in
    packages[name].map { .product(name: name, package: $0) } ?? .byName(name: name)
  }
}

func library(
  _ name: String, _ uses: String = "", except: [String] = [], embed: [String] = [],
  link: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: named(uses), exclude: except,
    resources: embed.map { .embedInCode($0) }, swiftSettings: settings(), linkerSettings: link)
}

/// A library that runs on the screen's thread unless it says otherwise.
func screens(_ name: String, _ uses: String) -> Target { onScreen(library(name, uses)) }

func onScreen(_ target: Target) -> Target {
  target.swiftSettings?.append(.defaultIsolation(MainActor.self))
  return target
}

func program(_ name: String, _ uses: String, except: [String] = [], embed: [String] = [])
  -> Target
{
  .executableTarget(
    name: name, dependencies: named(uses), exclude: except,
    resources: embed.map { .embedInCode($0) }, swiftSettings: settings())
}

func tests(_ name: String, _ uses: String = "", except: [String] = []) -> Target {
  .testTarget(name: name, dependencies: named(uses), exclude: except, swiftSettings: settings())
}

/// A module map and typed inline wrappers of a system library.
func header(_ name: String, _ library: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: library, providers: [.apt([apt]), .brew([brew])])
}

/// A target of C and the libraries that it links, where macOS names them otherwise those of macOS.
func code(
  _ name: String, _ link: String = "", macOS: String? = nil, define: [CSetting] = []
) -> Target {
  func linked(_ names: String, _ platforms: [Platform]) -> [LinkerSetting] {
    names.split(separator: " ").map { .linkedLibrary(String($0), .when(platforms: platforms)) }
  }
  return .target(
    name: name, cSettings: define,
    linkerSettings: linked(link, [.linux]) + linked(macOS ?? link, [.macOS]))
}
