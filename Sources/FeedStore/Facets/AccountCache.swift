/// Remote accounts: their settings, what is to be sent to their servers, and what these say.
///
/// ## Topics
///
/// ### Accounts
/// - ``account(_:)``
/// - ``addAccount(kind:url:user:title:passwordCommand:)``
/// - ``setPasswordCommand(_:_:)``
/// - ``mayRun(passwordCommand:)``
/// - ``removeAccount(_:)``
/// - ``adopt(_:by:isDryRun:)``
///
/// ### What is due
/// - ``accountWork()``
/// - ``hastenAccountSyncs(olderThan:)``
/// - ``beginAccountSync(_:)``
/// - ``endAccountSync(_:_:)``
///
/// ### Sending the outbox
/// - ``hasOutbox()``
/// - ``outboxBatch(of:limit:at:excluding:)``
/// - ``noteSending(_:)``
/// - ``confirmOutbox(_:)``
/// - ``failOutbox(_:of:detail:isAnswered:until:)``
/// - ``postponeOutbox(_:detail:by:)``
/// - ``refuseOutbox(_:detail:)``
/// - ``endHolding()``
///
/// ### Reading back what was sent
/// - ``confirmedStates(of:)``
/// - ``noteReadBack(of:began:)``
///
/// ### What the server says
/// - ``takeSubscriptions(_:isArranged:of:began:)``
/// - ``takeStates(of:unread:starred:mayToggle:began:)``
/// - ``takeLabels(_:folders:of:began:)``
/// - ``takeLabels(ofArticles:of:began:)``
/// - ``noteRefusedTags(of:)``
/// - ``takeArticles(_:of:)``
/// - ``unknown(_:of:)``
/// - ``requestedFeeds(of:)``
/// - ``keepUnfetchedReads(_:of:feed:)``
/// - ``noteItemStates(of:areWrong:)``
///
/// ### Lists that cannot be believed at once
/// - ``rememberedStates(of:in:)``
/// - ``noteEmptyLists(of:began:)``
/// - ``askAboutRebuild(of:)``
/// - ``findLostMarks(of:unread:starred:)``
/// - ``isRematching(_:)``
public struct AccountCache: Sendable {
  let database: CacheDatabase
}
