import FeedModel
import Foundation
import Testing

private let noon = Date(timeIntervalSince1970: 1_795_262_400)

@Suite("Conflicts between rules")
struct RuleConflictTests {
  private func rules(_ drafts: [RuleDraft]) -> [Rule] {
    drafts.enumerated().map { index, draft in
      Rule(id: RuleID(rawValue: Int64(index + 1)), draft: draft, isEnabled: true, createdAt: noon)
    }
  }

  private func conflicts(_ drafts: RuleDraft...) -> [RuleConflict] {
    let rules = rules(drafts)
    let found = RuleConflict.find(in: rules, at: noon)
    #expect(found.keys.allSatisfy { $0 == rules.last?.id })
    return found[rules[rules.count - 1].id] ?? []
  }

  @Test("An expired rule is reported and does not affect others")
  func ended() {
    let old = RuleDraft(query: "deal", actions: [.hide], stops: true, until: noon - 1)
    #expect(conflicts(old) == [.ended(noon - 1)])
    let found = RuleConflict.find(
      in: rules([old, RuleDraft(query: "deal", actions: [.star])]), at: noon)
    #expect(found == [RuleID(rawValue: 1): [.ended(noon - 1)]])
    #expect(conflicts(RuleDraft(query: "deal", actions: [.hide], until: noon + 1)) == [])
  }

  @Test("Rules with the same condition and actions are duplicates, however they are written")
  func duplicates() {
    let first = RuleDraft(name: "One", query: "title:deal feed:verge", actions: [.hide, .star])
    let second = RuleDraft(query: "feed:Verge  title:Deal", actions: [.star, .hide])
    #expect(conflicts(first, second) == [.duplicate(rules([first])[0])])
    for other in [
      "title:deal", "title:deal feed:ars", "title:/deal/ feed:verge", "deal -feed:verge",
    ] {
      #expect(conflicts(first, RuleDraft(query: other, actions: [.star, .hide])) == [])
    }
    #expect(conflicts(first, RuleDraft(query: first.query, actions: [.fullText])) == [])
  }

  @Test(
    "A rule never acts if an earlier, stopping rule matches the same articles or more",
    arguments: [
      ("deal", "deal", true), ("deal", "title:deal", true), ("deal", "deal feed:verge", true),
      ("deal*", "deals", true), ("deal*", "title:deal*", true), ("de*", "deal", false),
      ("/deals?/", "title:/deals?/", true), ("feed:verge", "feed:theverge.com title:x", true),
      ("in:news", "in:\"world news\"", true), ("minutes:<5", "minutes:<3", true),
      ("minutes:<5", "minutes:<=4", true), ("minutes:<5", "minutes:5", false),
      ("deal OR sale", "sale", true), ("sale", "deal OR sale", false),
      ("-title:deal", "-deal", true), ("-deal", "-title:deal", false),
      ("title:deal", "deal", false), ("deal feed:verge", "deal", false), ("deals", "deal*", false),
      ("is:unread", "is:unread deal", true), ("is:unread", "is:starred", false),
      ("score:>2", "score:>5", false), ("-deal", "deal", false),
    ])
  func unreachable(wide: String, narrow: String, isUnreachable: Bool) {
    let first = RuleDraft(query: wide, actions: [.tag("a")], stops: true)
    let found = conflicts(first, RuleDraft(query: narrow, actions: [.tag("b")]))
    #expect(found == (isUnreachable ? [.unreachable(behind: rules([first])[0])] : []))
    var open = first
    open.stops = false
    #expect(conflicts(open, RuleDraft(query: narrow, actions: [.tag("b")])) == [])
  }

  @Test("A stopping rule with an end date blocks only rules that end before it")
  func stopsForATime() {
    let first = RuleDraft(query: "deal", actions: [.tag("a")], stops: true, until: noon + 60)
    var second = RuleDraft(query: "deal", actions: [.tag("b")])
    #expect(conflicts(first, second) == [])
    second.until = noon + 30
    #expect(conflicts(first, second) == [.unreachable(behind: rules([first])[0])])
  }

  @Test("Scores that add up to zero cancel each other; other opposite actions are contrary")
  func opposites() {
    let up = RuleDraft(query: "swift", actions: [.score(5)])
    let rule = rules([up])[0]
    #expect(
      conflicts(up, RuleDraft(query: "title:swift", actions: [.score(-5)])) == [
        .cancelled(by: rule)
      ])
    #expect(conflicts(up, RuleDraft(query: "swift", actions: [.score(-3)])) == [])
    #expect(conflicts(up, RuleDraft(query: "swift", actions: [.hide])) == [.contrary(rule)])
    #expect(conflicts(up, RuleDraft(query: "rust", actions: [.hide])) == [])
  }

  @Test("A rule that is tried is compared at its own position, or after all others if it is new")
  func tried() {
    let drafts = [
      RuleDraft(query: "deal", actions: [.tag("a")]),
      RuleDraft(query: "deal", actions: [.hide], stops: true),
    ]
    let known = rules(drafts)
    let draft = RuleDraft(query: "deal", actions: [.tag("b")])
    #expect(
      RuleConflict.find(of: draft, among: known, at: noon) == [.unreachable(behind: known[1])])
    #expect(RuleConflict.find(of: draft, replacing: known[0].id, among: known, at: noon) == [])
  }

  @Test("Disabled and invalid rules cause no conflicts")
  func disabled() {
    var first = rules([RuleDraft(query: "deal", actions: [.hide])])[0]
    first.isEnabled = false
    let draft = RuleDraft(query: "deal", actions: [.hide])
    #expect(RuleConflict.find(of: draft, among: [first], at: noon) == [])
    (first.isEnabled, first.problem) = (true, .query)
    #expect(RuleConflict.find(of: draft, among: [first], at: noon) == [])
  }
}
