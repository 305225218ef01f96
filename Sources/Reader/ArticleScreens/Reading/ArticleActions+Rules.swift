import TerminalViews

/// Explanations of an article's state, and scores for similar articles.
extension ArticleActions {
  static func ruleBindings(_ now: @escaping () -> ArticleActions) -> [Binding] {
    [
      Binding(.why, unless: now().whyNoArticle) { now().explain() },
      Binding(.scoreUp, unless: now().whyNoArticle) { now().score(step) },
      Binding(.scoreDown, unless: now().whyNoArticle) { now().score(-step) },
    ]
  }

  /// The change of a score by one key.
  private static let step = 5
  /// The most words of a title that are offered.
  private static let mostWords = 12
  /// The fewest letters of an offered word; shorter words mean little.
  private static let shortestWord = 4

  private func explain() {
    guard let id else { return }
    do throws(StoreError) {
      guard let row = try context.store.articles.articleRow(id) else { return }
      let judgements = try context.store.rules.judgements(of: id)
      let until = try context.store.plan.snoozedUntil(id)
      let score =
        (row.score == 0 ? "" : "score \(row.score); ")
        + (until.map { "hidden until \(context.dates.moment($0)); " } ?? "")
      guard !judgements.isEmpty else {
        let text = "\(score)no rule has acted on this article"
        return context.note(text.prefix(1).uppercased() + text.dropFirst())
      }
      let items = judgements.map { judgement in
        Picker.Item(
          String(judgement.rule.rawValue), title: judgement.name ?? "a rule that was removed",
          note: RuleWording.actions(judgement.actions) + " \u{B7} "
            + context.dates.moment(judgement.at))
      }
      context.window?.ask(
        Picker("Why (\(score)\(AmountWording.count(items.count, "rule", "rules")))", items) {
          _ in context.window?.openRules()
        })
    } catch {
      context.report(error)
    }
  }

  /// Offers properties that other articles may share, and scores the chosen property.
  private func score(_ number: Int) {
    guard let id, let article = context.read(try context.store.articles.article(id)) else { return }
    let label = number > 0 ? "Score more" : "Score less"
    let items = Self.conditions(of: article).map { condition in
      Picker.Item(condition.query, title: condition.title)
    }
    context.window?.ask(
      Picker(label, items) { values in
        guard let query = values.first else { return }
        Self.remember(query, number, context)
      })
  }

  static func conditions(of article: Article) -> [(query: String, title: String)] {
    func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: " "))\"" }
    var conditions: [(query: String, title: String)] = article.authors.compactMap(\.name).map {
      ("author:\(quoted($0))", "author: \($0)")
    }
    conditions.append(("feed:\(quoted(article.row.feedName))", "feed: \(article.row.feedName)"))
    conditions += article.tags.map { ("tag:\(quoted($0))", "tag: \($0)") }
    var known: Set<String> = []
    let words = article.row.title.split { !($0.isLetter || $0.isNumber) }.map { $0.lowercased() }
      .filter { $0.count >= shortestWord || !$0.utf8.allSatisfy { $0 < 0x80 } }
      .filter { known.insert($0).inserted }
    return conditions
      + words.prefix(mostWords).map { ("title:\(quoted($0))", "word of the title: \($0)") }
  }

  /// Adds a rule for the condition, or changes the score of an existing one.
  private static func remember(_ query: String, _ number: Int, _ context: ReaderContext) {
    context.write(
      { store throws(StoreError) in
        let known = try store.rules.all().first { rule in
          guard !rule.isFile, rule.query == query, rule.actions.count == 1,
            case .score = rule.actions[0]
          else { return false }
          return true
        }
        guard let known, case .score(let old) = known.actions[0] else {
          try await store.rules.addRule(
            RuleDraft(query: query, actions: [.score(number)]), reach: .arrivals)
          return number
        }
        let sum = max(RuleAction.scores.lowerBound, min(RuleAction.scores.upperBound, old + number))
        if sum == 0 {
          try await store.rules.removeRule(known.id)
        } else {
          var draft = known.draft
          draft.actions = [.score(sum)]
          try await store.rules.editRule(known.id, draft)
        }
        return sum
      },
      then: { sum in
        let sign = sum > 0 ? "+" : sum < 0 ? "\u{2212}" : ""
        context.note(
          "Score \(sign)\(abs(sum)) for \(query) from now on\(context.undoHint())")
      })
  }
}
