// swift-tools-version: 6.2

// The fuzzing program: the pure targets, built with the instrumentation of libFuzzer and the
// address sanitiser. It is a separate package, so that it does not affect the program's build; the
// folders in Sources are links. A test compares its lines with those of the program's manifest.
import PackageDescription

let package = Package(
  name: "fuzzer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")],
  targets: [
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "CXXHash"),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    library("FeedModel", "CRE2 CXXHash"),
    library(
      "TextRules", "FeedModel",
      embed: ["Characters/named-references.txt", "Dates/date-names.txt"]),
    library("HTMLContent", "TextRules FeedModel"),
    library("FeedParsing", "HTMLContent TextRules FeedModel"),
    library("Networking", "FeedModel TextRules CCurl CZlib"),
    library("RemoteAccounts", "Networking"),
    library(
      "CacheCore", "FeedModel CSQLite GRDB",
      embed: ["feeds", "articles", "states", "media", "search", "accounts", "processes", "folder"]
        .map {
          "Schema/\($0).sql"
        }),
    library("ArticleStore", "CacheCore TextRules CSQLite GRDB"),
    library("AccountStore", "ArticleStore GRDB"),
    library("WorkStore", "ArticleStore GRDB"),
    library("SearchStore", "WorkStore GRDB"),
    library("FolderStore", "SearchStore GRDB"),
    library("FeedStore", "FolderStore AccountStore CSQLite GRDB"),
    program(
      "fuzz",
      "FeedModel TextRules HTMLContent FeedParsing FeedStore FolderStore Networking RemoteAccounts"),
  ],
  cxxLanguageStandard: .cxx17
)

func settings() -> [SwiftSetting] {
  [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
    .unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"]),
  ]
}

func named(_ names: String) -> [Target.Dependency] {
  names.split(separator: " ").map(String.init).map { name in
    name == "GRDB" ? .product(name: name, package: "GRDB.swift") : .byName(name: name)
  }
}

func library(_ name: String, _ uses: String, embed: [String] = []) -> Target {
  .target(
    name: name, dependencies: named(uses), resources: embed.map { .embedInCode($0) },
    swiftSettings: settings())
}

func program(_ name: String, _ uses: String) -> Target {
  // The gold linker fails on the parts of the address sanitiser. A debug build would keep the main
  // function of libFuzzer, which is unused and calls what this program lacks.
  .executableTarget(
    name: name, dependencies: named(uses), swiftSettings: settings(),
    linkerSettings: [
      .unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld", "-Xlinker", "--gc-sections"])
    ])
}
