// swift-tools-version: 6.2
// The floors of Sources from the top, a line for each target with what it uses: targets of lower
// floors, and of its own floor those that it names. Tests/ArchitectureTests reads these lines: an
// import that is not named here is a failing test with its file and line.
// swift-format-ignore-file
import Foundation
import PackageDescription

let floors: [Target] = [
  plain(program("Program/weir", """
    ProgramSettings Importers ReaderUI Wording NcursesTerminal TerminalViews TerminalKit SyncEngine FeedStore
    Networking FeedParsing ArticleText HTMLContent Books TextRules FeedModel Programs CProcess CBuild CPictures
    ArgumentParser TOMLKit
    """, except: ["Documentation.docc"] + ["weir.1", "config.toml", "packaging", "dates"].map { "Resources/" + $0 },
    // In the binary itself: one file is the whole program.
    embed: ["Resources/guide.xml", "Resources/starter.opml"])),
  plain(library("Program/ProgramSettings", "ReaderUI TerminalViews SyncEngine Programs TOMLKit", embed: ["config.toml"])),
  library("Program/Importers", "FeedStore FeedParsing HTMLContent FeedModel TerminalKit GRDB"),

  plain(screens("Reader/ReaderUI", "ArticleScreens TerminalViews TerminalKit")),
  screens("Reader/ArticleScreens", "ReaderServices TerminalViews TerminalKit ArticleText"),
  screens("Reader/ReaderServices", "Wording TerminalViews TerminalKit"),
  library("Reader/Wording", "FeedStore TextRules"),

  screens("Terminal/NcursesTerminal", "TerminalKit CNcurses"),
  screens("Terminal/TerminalViews", "TerminalKit"),
  fast(library("Terminal/TerminalKit")),

  library("Sync/SyncEngine", "RemoteAccounts FeedStore NetworkMeasurement FeedParsing Programs CPSL"),
  library("Sync/RemoteAccounts", "Networking"),

  library("Cache/FeedStore", "FolderStore AccountStore CSQLite GRDB"),
  library("Cache/FolderStore", "SearchStore GRDB"),
  library("Cache/SearchStore", "WorkStore GRDB"),
  library("Cache/WorkStore", "ArticleStore GRDB"),
  library("Cache/AccountStore", "ArticleStore GRDB"),
  fast(library("Cache/ArticleStore", "CacheCore TextRules CSQLite GRDB")),
  fast(library("Cache/CacheCore", "FeedModel CSQLite GRDB", embed: ["feeds", "articles", "states", "media", "search", "accounts", "processes", "folder"].map { "Schema/\($0).sql" })),

  library("Network/NetworkMeasurement", "Networking"),
  library("Network/Networking", "FeedModel TextRules CCurl CZlib"),

  fast(library("Text/FeedParsing", "HTMLContent TextRules FeedModel")),
  fast(library("Text/ArticleText", "HTMLContent TextRules FeedModel")),
  library("Text/Books", "HTMLContent TextRules CZlib"),
  fast(library("Text/HTMLContent", "TextRules FeedModel")),
  fast(library("Text/TextRules", "FeedModel", embed: ["Characters/named-references.txt", "Dates/date-names.txt"], link: [.linkedLibrary("iconv", .when(platforms: [.macOS]))])),

  fast(library("Model/FeedModel", "CRE2 CXXHash")),

  library("System/Programs"),
  header("System/CCurl", "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
  header("System/CPSL", "libpsl", apt: "libpsl-dev", brew: "libpsl"),
  code("System/CBuild", define: [.define("WEIR_COMMIT", to: "\"\(commit())\"")]),
  code("System/CNcurses", "ncursesw tinfo", macOS: "ncurses"),
  code("System/CPictures", ":libjpeg.a :libpng16.a :libwebpdemux.a :libwebp.a :libgif.a z m", macOS: "jpeg png webpdemux webp gif z"),
  code("System/CProcess"),
  code("System/CRE2", re2NeedsAbseil() ? "re2" : ":libre2.a", macOS: "re2"),
  code("System/CSQLite", "sqlite3"),
  code("System/CXXHash"),
  code("System/CZlib", "z"),
]

let testFloors: [Target] = [
  tests("ArchitectureTests", except: ["texts.txt"]),
  tests("Program/EndToEndTests", "weir terminalprobe TerminalKit FeedModel TestSupport SoakSupport", except: ["json.txt", "shell.txt"]),
  tests("Program/ProgramTests", """
    weir ProgramSettings Importers NcursesTerminal ReaderUI ReaderServices TerminalViews TerminalKit FeedStore
    FeedParsing FeedModel TestSupport SoakSupport ArgumentParser
    """),
  onScreen(tests("Reader/ReaderUITests", """
    ReaderUI ArticleScreens ReaderServices TerminalViews TerminalKit FeedStore ArticleText HTMLContent TestSupport
    SoakSupport GRDB
    """, except: ["Golden"])),
  onScreen(tests("Terminal/NcursesTerminalTests", "NcursesTerminal TerminalKit CNcurses TestSupport")),
  tests("Terminal/TerminalKitTests", "TerminalKit TestSupport"),
  tests("Sync/SyncEngineTests", """
    SyncEngine RemoteAccounts NetworkMeasurement Networking FeedParsing Programs SearchStore ArticleStore CacheCore
    TestSupport SoakSupport SimulatedNetwork GRDB
    """, except: ["Records", "Sites"]),
  tests("Sync/RemoteAccountsTests", "RemoteAccounts SimulatedNetwork"),
  tests("Cache/FeedStoreTests", """
    FeedStore FolderStore SearchStore WorkStore AccountStore ArticleStore CacheCore HTMLContent FeedModel
    TestSupport SoakSupport FaultyDisk GRDB
    """, except: ["Fixtures"]),
  tests("Cache/FolderStoreTests", "FolderStore TestSupport SoakSupport"),
  tests("Network/NetworkingTests", "Networking TestSupport SimulatedNetwork"),
  tests("Text/FeedParsingTests", "FeedParsing FeedModel TestSupport SoakSupport", except: ["Fixtures"]),
  tests("Text/ArticleTextTests", "ArticleText HTMLContent FeedModel TestSupport SoakSupport"),
  tests("Text/BooksTests", "Books HTMLContent"),
  tests("Text/HTMLContentTests", "HTMLContent TextRules FeedModel TestSupport SoakSupport", except: ["Pages"]),
  tests("Model/FeedModelTests", "FeedModel TestSupport"),

  library("Support/TestSupport", except: ["Articles"]),
  library("Support/SoakSupport"),
  library("Support/SimulatedNetwork", "NetworkMeasurement Networking FeedModel TestSupport"),
  code("Support/FaultyDisk", "sqlite3"),

  program("Tools/simulate", "SimulatedNetwork NetworkMeasurement TestSupport"),
  program("Tools/screenshots", "TerminalKit TestSupport"),
  program("Tools/bench", "FeedStore FeedParsing HTMLContent FeedModel TestSupport CLibXML2 GRDBSQLite"),
  header("Tools/CLibXML2", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
  onScreen(program("Tools/terminalprobe", "NcursesTerminal TerminalKit")),
  tests("Tools/BenchmarkTests"),
  tests("Tools/FuzzTests", "RemoteAccounts FeedStore FolderStore Networking FeedParsing HTMLContent TextRules FeedModel", except: ["Corpus", "Fuzzer"]),

  example("Examples/Sources/PrintFeed", "FeedParsing"),
  example("Examples/Sources/SanitiseHTML", "HTMLContent"),
  example("Examples/Sources/RenderArticle", "ArticleText HTMLContent"),
  onScreen(example("Examples/Sources/ShowList", "NcursesTerminal TerminalKit TerminalViews")),
]

let package = Package(
  name: "weir",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "weir", targets: ["weir"])]
    + ["FeedParsing", "HTMLContent", "ArticleText", "TerminalKit", "TerminalViews", "NcursesTerminal"].map { .library(name: $0, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
  ],
  targets: below("Sources", floors) + below("Tests", testFloors).filter(isAsked),
  cxxLanguageStandard: .cxx17
)

#if os(Linux)
  // `make netlab`: network namespaces and tunnel devices are Linux's.
  package.targets += below("Tests", [.systemLibrary(name: "Tools/CNamespaces"), program("Tools/netlab", "TestSupport CNamespaces GRDBSQLite")])
#endif

/// `make test FILTER=` names the targets of tests that it needs: the others are not built.
func isAsked(_ target: Target) -> Bool {
  let asked = (Context.environment["WEIR_TESTS"] ?? "").split(separator: " ")
  return target.type != .test || asked.isEmpty || asked.contains { $0 == target.name }
}

/// Warnings are errors where the whole suite is judged (continuous integration), so that a newer
/// compiler's new warning does not stop somebody who only wants to build.
func settings() -> [SwiftSetting] {
  let features = ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"]
  return [.swiftLanguageMode(.v6)] + features.map { .enableUpcomingFeature($0) }
    + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])
}

/// RE2 since 2023 uses Abseil, which its archive does not contain; its shared library finds it.
func re2NeedsAbseil() -> Bool { FileManager.default.fileExists(atPath: "/usr/include/absl/base/config.h") }

/// The name of the commit that is built; empty outside a git repository.
func commit() -> String {
  Context.gitInformation.map { $0.currentCommit.prefix(9) + ($0.hasUncommittedChanges ? "+" : "") } ?? ""
}

/// Gives targets, which are named by floor and name, their names and folders.
func below(_ folder: String, _ targets: [Target]) -> [Target] {
  for it in targets { (it.path, it.name) = ("\(folder)/\(it.name)", String(it.name.split(separator: "/").last ?? "")) }
  return targets
}

func named(_ names: String) -> [Target.Dependency] {
  let packages = ["GRDB": "GRDB.swift", "GRDBSQLite": "GRDB.swift", "ArgumentParser": "swift-argument-parser", "TOMLKit": "TOMLKit"]
  return names.split { " \n".contains($0) }.map(String.init).map { name in packages[name].map { .product(name: name, package: $0) } ?? .byName(name: name) }
}

func library(_ name: String, _ uses: String = "", except: [String] = [], embed: [String] = [], link: [LinkerSetting] = []) -> Target {
  .target(name: name, dependencies: named(uses), exclude: except, resources: embed.map { .embedInCode($0) }, swiftSettings: settings(), linkerSettings: link)
}

/// A target that runs on the screen's thread unless it says otherwise.
func screens(_ name: String, _ uses: String) -> Target { onScreen(library(name, uses)) }
func onScreen(_ target: Target) -> Target { with(.defaultIsolation(MainActor.self), target) }

// A release build leaves out optimising what is not hot, and a debug build optimises what tests
// spend their time in (decision 91).
func plain(_ target: Target) -> Target { compiled("-Onone", .release, target) }
func fast(_ target: Target) -> Target { compiled("-O", .debug, target) }

/// SwiftPM takes no flags from a package that another one names by its version.
func compiled(_ flag: String, _ configuration: BuildConfiguration, _ target: Target) -> Target {
  Context.packageDirectory.contains("/checkouts/") ? target : with(.unsafeFlags([flag], .when(configuration: configuration)), target)
}

func with(_ setting: SwiftSetting, _ target: Target) -> Target {
  target.swiftSettings?.append(setting)
  return target
}

func program(_ name: String, _ uses: String, except: [String] = [], embed: [String] = []) -> Target {
  .executableTarget(name: name, dependencies: named(uses), exclude: except, resources: embed.map { .embedInCode($0) }, swiftSettings: settings())
}

/// A program that sees of the libraries what another package would.
func example(_ name: String, _ uses: String) -> Target {
  .executableTarget(name: name, dependencies: named(uses), packageAccess: false, swiftSettings: [])
}

func tests(_ name: String, _ uses: String = "", except: [String] = []) -> Target {
  .testTarget(name: name, dependencies: named(uses), exclude: except, swiftSettings: settings())
}

func header(_ name: String, _ library: String, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: library, providers: [.apt([apt]), .brew([brew])])
}

/// A target of C and the libraries that it links, where macOS names them otherwise those of macOS.
func code(_ name: String, _ link: String = "", macOS: String? = nil, define: [CSetting] = []) -> Target {
  func linked(_ names: String, _ platform: Platform) -> [LinkerSetting] { names.split(separator: " ").map { .linkedLibrary(String($0), .when(platforms: [platform])) } }
  return .target(name: name, cSettings: define, linkerSettings: linked(link, .linux) + linked(macOS ?? link, .macOS))
}
