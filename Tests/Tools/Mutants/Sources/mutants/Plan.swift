/// The mutated files of a module, and the suites that must kill them.
struct Plan {
  /// The folder of Sources that contains the module.
  var floor: String
  var module: String
  var groups: [Group]
  /// Sums whose types differ, which no generic operator covers.
  var sums: [Sum] = []
  var imports: [String] = []

  struct Group {
    /// Expressions for `swift test --filter`.
    var suites: String
    /// Paths in the module's folder.
    var files: [String]
  }

  struct Sum {
    var sign: String
    var left: String
    var right: String
    var result: String
    var mutated: String
  }

  func path(_ file: String) -> String { "Sources/\(floor)/\(module)/\(file)" }

  /// Tests that take longer than all others: random input, whole syncs, and many marks.
  static let skipped =
    "storms|survivesRandomUse|engineWidens|ownLimit|rateLimit|CompactionTests/size"

  static let all: [Plan] = [
    Plan(
      floor: "Model", module: "FeedModel",
      groups: [
        Group(
          suites: "SearchQueryTests|SearchQueryBoundTests",
          files: ["Search/SearchQuery.swift", "Search/SearchQueryParser.swift"])
      ]),
    Plan(
      floor: "Network", module: "NetworkMeasurement",
      groups: [
        Group(
          suites:
            "AdaptiveLimiterTests|LimiterDetailTests|LimiterPartTests|LimiterRecordTests|OfflineDetectorTests|QualityEstimateTests",
          files: [
            "OfflineDetector.swift", "QualityEstimate.swift", "ByteLedger.swift",
            "AdaptiveLimiter.swift", "AdaptiveLimiter+Epoch.swift", "AdaptiveLimiter+Trouble.swift",
            "Line.swift",
          ])
      ]),
    Plan(
      floor: "Sync", module: "SyncEngine",
      groups: [
        Group(
          suites:
            "EngineStateTests|EngineEndTests|EngineRuleTests|EngineStatusTests|EngineWorkTests|StoreBackoffTests",
          files: [
            "Engine/EngineState.swift", "Engine/EngineState+Ends.swift",
            "Engine/EngineState+Network.swift", "Engine/EngineState+Rules.swift",
            "Engine/DueFeeds.swift", "Engine/StoreBackoff.swift",
          ]),
        Group(
          suites:
            "OperationTableDetailTests|OperationTableTests|EngineRuleTests|EngineStatusTests|EngineEndTests|EngineWorkTests",
          files: ["Basics/OperationTable.swift", "Engine/SyncProgress.swift"]),
        Group(suites: "RefreshScheduleTests", files: ["RateLimiting/RefreshSchedule.swift"]),
        Group(
          suites: "HostConcurrencyTests|HostGateTests",
          files: ["RateLimiting/HostConcurrency.swift", "RateLimiting/HostGate.swift"]),
      ],
      sums: [
        Sum(sign: "+", left: "Date", right: "Duration", result: "Date", mutated: "a + b * -1"),
        Sum(
          sign: "+", left: "Instant", right: "Duration", result: "Instant", mutated: "a + b * -1"),
        Sum(
          sign: "-", left: "Instant", right: "Instant", result: "Duration",
          mutated: "a.uptime + b.uptime"),
      ], imports: ["Foundation"]),
    Plan(
      floor: "Terminal", module: "TerminalViews",
      groups: [
        Group(
          suites: "ListNavigationTests|ListScrollingTests|RowListTests",
          files: ["Lists/ListNavigation.swift", "Lists/RowList.swift"])
      ]),
    Plan(
      floor: "Cache", module: "FolderStore",
      groups: [
        Group(
          suites:
            "MergedStateTests|SharedFeedTests|EntryTests|OnboardingTests|SegmentTests|CompactionTests",
          files: [
            "Format/OnboardingPlan.swift", "Format/MergedState.swift", "Format/SharedFeed.swift",
          ])
      ]),
  ]
}
