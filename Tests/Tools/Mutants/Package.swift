// swift-tools-version: 6.2

// A separate package for the mutation test, so that the program's build does not contain it.
import PackageDescription

let package = Package(
  name: "mutants",
  platforms: [.macOS(.v15)],
  targets: [.executableTarget(name: "mutants", swiftSettings: [.swiftLanguageMode(.v6)])]
)
