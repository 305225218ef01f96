// swift-tools-version: 6.2

// The mutation test: a package of its own, so that the program's build knows nothing of it.
import PackageDescription

let package = Package(
  name: "mutants",
  platforms: [.macOS(.v15)],
  targets: [.executableTarget(name: "mutants", swiftSettings: [.swiftLanguageMode(.v6)])]
)
