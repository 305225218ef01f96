/// Handles the output of a program that received an article.
enum PipeOutput {
  static func show(
    _ text: String, of program: String, about id: ArticleID, _ mode: ProgramAnswer,
    _ context: ReaderContext
  ) {
    let html = ArticleNote.html(ofText: text)
    guard !html.isEmpty else { return context.note("\(program) printed nothing") }
    switch mode {
    case .background: break
    case .replace:
      context.window?.open(id, replacedBy: program, html)
      context.note("\(program): its output is shown instead of the article")
      context.clearFailure(of: .action(.send))
    case .show:
      context.write({ store in try await store.states.setNote(html, by: program, of: id) }) {
        context.note("\(program): its output is below the article")
        context.clearFailure(of: .action(.send))
      }
    }
  }

  static func remove(_ id: ArticleID, _ context: ReaderContext) {
    context.write({ store in try await store.states.removeNotes(of: id) }) {
      count in
      context.note("\(AmountWording.count(count, "note", "notes")) removed")
    }
  }

  /// Returns an article's text followed by its notes, each below a heading with its program's name.
  nonisolated static func html(
    _ text: String, with notes: [ArticleNote], _ dates: DateWording
  ) -> String {
    notes.reduce(text) { text, note in
      let name = ArticleNote.html(ofText: "Note by \(note.program), \(dates.moment(note.at))")
      let heading = name.replacing("<p>", with: "<h4>").replacing("</p>", with: "</h4>")
      return text + "<hr>" + heading + note.html
    }
  }
}

/// Names of files that the reader proposes.
enum FileNames {
  /// Returns the letters and digits of a title, with hyphens between the words.
  /// - Parameter fallback: the name if the title has neither.
  static func proposed(for title: String, or fallback: String) -> String {
    let letters = title.prefix(60).map { $0.isLetter || $0.isNumber ? $0 : "-" }
    let name = String(letters).split(separator: "-").joined(separator: "-")
    return name.isEmpty ? fallback : name
  }
}
