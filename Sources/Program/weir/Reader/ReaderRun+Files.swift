import FeedModel
import FeedStore
import Foundation
import ProgramSettings
import Programs
import ReaderServices
import ReaderUI
import Wording

extension ReaderRun {
  func exportSubscriptions(path: String) async throws(ActionFailure) -> String {
    do {
      let file = Paths.expandingHome(path)
      guard !FileManager.default.fileExists(atPath: file) else {
        throw CommandFailure("\(path) already exists; type another name.")
      }
      let count = try ExportCommand.write(session.store, to: file)
      return "Exported \(AmountWording.count(count, "feed", "feeds")) to \(path)"
    } catch let failure as CommandFailure {
      throw ActionFailure(failure, session.log)
    } catch {
      throw ActionFailure("The feeds can\u{2019}t be exported")
    }
  }

  func save(_ text: String, path: String) async throws(ActionFailure) -> String {
    do throws(CommandFailure) {
      let file = Paths.expandingHome(path)
      guard !FileManager.default.fileExists(atPath: file) else {
        throw CommandFailure("\(path) already exists; type another name.")
      }
      try TextFile.replace(file, with: Array(text.utf8), followsLinks: false)
      return "Saved as \(path)"
    } catch {
      throw ActionFailure(error, session.log)
    }
  }

  func saveBook(
    of articles: [ArticleID], title: String, path: String
  ) async throws(ActionFailure) -> String {
    do {
      let file = Paths.expandingHome(path)
      guard !FileManager.default.fileExists(atPath: file) else {
        throw CommandFailure("\(path) already exists; type another name.")
      }
      let book = BookFile(store: session.store)
      let count = try await book.write(articles, title: title, to: file)
      return "Wrote \(AmountWording.count(count, "article", "articles")) to \(path)"
    } catch let failure as CommandFailure {
      throw ActionFailure(failure, session.log)
    } catch let error as StoreError {
      throw ActionFailure(StoreWording.sentence(error))
    } catch {
      throw ActionFailure("The book can\u{2019}t be written")
    }
  }

  func saveDatabase(path: String) async throws(ActionFailure) -> String {
    let (cache, file) = (session.store.file, Paths.expandingHome(path))
    let copied = await OwnThread.run { _ in
      Result { () throws(StoreError) in try cache.backup(to: file) }
    }
    if case .failure(let error) = copied { throw ActionFailure(StoreWording.sentence(error)) }
    return "Database copied to \(path)"
  }
}
