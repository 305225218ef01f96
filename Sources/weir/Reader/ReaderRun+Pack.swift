import ArgumentParser
import FeedModel
import FeedStore
import Foundation
import ReaderUI
import Wording

extension ReaderRun {
  func startPack(_ wish: PackWish) async throws(ActionFailure) -> String {
    do {
      guard let hours = Double(wish.hours), hours > 0, hours <= 1_000 else {
        throw ActionFailure("Type a number of hours, such as 3.")
      }
      let clock = try wish.by.isEmpty ? nil : PackArguments.time(wish.by)
      let plan = PackPlan(
        query: wish.query, minutes: Int((hours * 60).rounded(.up)),
        budget: try PackArguments.size(wish.budget), dueAt: clock?.next(after: now()),
        extras: PackArguments.extras(discussions: wish.discussions, audio: wish.audio))
      let store = session.store
      let selection = try await Task.detached { try await PackSelection(plan, store) }.value
      guard !selection.articles.isEmpty else {
        throw ActionFailure("There is nothing to pack: no article is unread or found.")
      }
      let pack = try await store.reader.startPack(plan, selection.articles)
      return PackWording.plan(pack, minutes: selection.minutes)
    } catch let failure as ActionFailure {
      throw failure
    } catch let error as ValidationError {
      throw ActionFailure(error.message)
    } catch let failure as CommandFailure {
      throw ActionFailure(failure.sentence)
    } catch let error as StoreError {
      throw ActionFailure(StoreWording.sentence(error))
    } catch {
      throw ActionFailure("The pack can\u{2019}t be begun")
    }
  }
}
