@testable import ReaderUI
@testable import TerminalViews

@Suite("Forms") struct FormTests {
  private enum Field { case name, folder, refreshing }

  private func form() -> Form<Field> {
    Form(
      [
        .init(field: .name, label: "Name", control: .text(TextField("A"), placeholder: "none")),
        .init(
          field: .folder, label: "Folder",
          control: .text(TextField(), placeholder: "none", suggestions: ["News", "Work"])),
        .init(field: .refreshing, label: "Refresh", control: .choice(["yes", "no"])),
      ], current: .name)
  }

  private func text(_ form: Form<Field>, height: Int) -> [String] {
    let canvas = Canvas(size: Size(width: 40, height: height), theme: .mono)
    _ = form.draw(on: canvas)
    let terminal = VirtualTerminal(size: Size(width: 40, height: height))
    terminal.present(canvas.surface)
    return terminal.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("Keys edit the current field, change choices and go from field to field") func keysEdit() {
    var form = form()
    func handle(_ keys: Key...) { for key in keys { _ = form.handle(key) } }
    handle(.character("b"), .tab, .control("n"))
    #expect(form.text(.name) == "Ab")
    #expect(form.text(.folder) == "News")
    handle(.control("p"), .control("p"), .down, .character(" "))
    #expect(form.text(.folder) == "Work")
    #expect(form.current == .refreshing && form.choice(.refreshing) == 1)
    #expect(form.changes == [.name, .folder, .refreshing])
    handle(.tab)
    #expect(form.current == .name)
  }

  @Test("A group hides its fields until it is opened, by a key or by an error in it")
  func groups() {
    let rows: [Form<Field>.Row] = [
      .text(.name, "Name", "A"), .group(.folder, "More"),
      .choice(.refreshing, "Refresh", ["yes", "no"], selected: 1),
    ]
    var form = Form(rows, current: .name)
    let shown = { (form: Form<Field>) in self.text(form, height: 12).joined() }
    _ = form.handle(.backTab)
    #expect(form.current == .folder && !shown(form).contains("Refresh"))
    guard case .stays = form.handle(.enter) else { return #expect(Bool(false)) }
    _ = form.handle(.tab)
    #expect(form.current == .refreshing && shown(form).contains("▾ More"))
    _ = form.handle(.backTab)
    _ = form.handle(.left)
    #expect(shown(form).contains("▸ More") && form.changes.isEmpty)
    form.showError("Wrong", at: .refreshing)
    #expect(shown(form).contains("‹ no ›"))
  }

  @Test("An error is shown under its field, or below if there is no room, until something is typed")
  func anErrorIsUnderItsField() {
    var form = form()
    form.showError("There is no such folder", at: .folder)
    #expect(form.current == .folder)
    #expect(text(form, height: 12)[3].contains("There is no such folder"))
    let low = Canvas(size: Size(width: 40, height: 6), theme: .mono)
    #expect(form.draw(on: low).error == "There is no such folder")
    _ = form.handle(.character("x"))
    #expect(form.draw(on: low).error == nil)
  }

  @Test("An error longer than the line under its field is shown in full below") func longErrors() {
    var form = form()
    let error = "The folder News/Tech belongs to an account whose server takes no folders"
    form.showError(error, at: .folder)
    let canvas = Canvas(size: Size(width: 40, height: 12), theme: .mono)
    #expect(form.draw(on: canvas).error == error)
    #expect(!text(form, height: 12)[3].contains("The folder"))
  }

  @Test("If the fields do not fit, the ones around the current field are drawn")
  func aLongFormScrolls() {
    var form = Form<Int>(
      (0..<14).map { .init(field: $0, label: "Field \($0)", control: .text(TextField("v\($0)"))) },
      current: 0)
    func shown() -> String {
      let canvas = Canvas(size: Size(width: 40, height: 10), theme: .mono)
      let end = form.draw(on: canvas)
      #expect(end.below.height == 2)
      let terminal = VirtualTerminal(size: Size(width: 40, height: 10))
      terminal.present(canvas.surface)
      return terminal.text
    }
    #expect(shown().contains("Field 0") && !shown().contains("Field 9"))
    for _ in 0..<13 { _ = form.handle(.down) }
    #expect(shown().contains("Field 13") && !shown().contains("Field 2 "))
  }
}
