import ArgumentParser
import Foundation
import ProgramSettings

extension ReaderRun {
  func startPack(_ request: PackRequest) async throws(ActionFailure) -> String {
    do {
      guard let hours = Double(request.hours), hours > 0, hours <= 1_000 else {
        throw ActionFailure("Type a number of hours, such as 3.")
      }
      let clock = try request.by.isEmpty ? nil : PackArguments.time(request.by)
      let (store, now) = (session.store, self.now())
      let network = try request.network ?? PackNetwork(store.reader.requests.syncStatus().quality)
      let (dueAt, allowed) = (clock?.next(after: now), try PackArguments.size(request.budget))
      let plan = PackPlan(
        query: request.query, minutes: Int((hours * 60).rounded(.up)),
        budget: network?.fits(allowed, until: dueAt, from: now) ?? allowed, dueAt: dueAt,
        extras: PackArguments.extras(discussions: request.discussions, audio: request.audio))
      if request.takesDailyPage, !request.query.isEmpty {
        throw ActionFailure("Type a search or choose today\u{2019}s page, not both.")
      }
      let selection = try await Task.detached {
        let page = request.takesDailyPage ? try await store.reader.plan.dailyPage().articles : nil
        return try await PackSelection(plan, store, on: network, among: page)
      }.value
      guard !selection.articles.isEmpty else {
        throw ActionFailure("There is nothing to pack: no article is unread or found.")
      }
      let pack = try await store.reader.packs.startPack(
        plan, selection.articles, reserve: selection.reserve)
      let wording = PackWording(dates: DateWording(now: now, timeZone: .current))
      return wording.limits(pack, budget: allowed, on: network)
        ?? PackWording.plan(pack, minutes: selection.minutes)
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
