import FeedModel
import TOMLKit

/// The table [focus]: folders that the reader shows alone, by a name.
///
///     [focus.work]
///     folders = ["Work", "Tech/Databases"]
extension Configuration {
  static let foldersForm = "a list of folders, such as [\"Work\", \"Tech/Databases\"],"

  /// Reads a focus and returns its problems.
  mutating func readFocus(_ value: any TOMLValueConvertible, name: String) -> [TableProblem] {
    guard let table = value.table else { return [TableProblem(text: "a table expected")] }
    var problems = table.keys.filter { $0 != "folders" }.sorted().map {
      TableProblem(
        key: $0, text: "unknown setting", near: Suggestion.nearest(to: $0, among: ["folders"]))
    }
    if let folders = table["folders"].flatMap(Setting.words), !folders.isEmpty {
      focuses[name] = folders
    } else {
      problems.append(TableProblem(key: "folders", text: "\(Self.foldersForm) expected"))
    }
    return problems
  }
}
