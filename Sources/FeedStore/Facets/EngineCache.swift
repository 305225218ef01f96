/// The cache as the sync engine uses it: what is due, and what came of it.
///
/// A failing read is an error of the store, never "nothing to do". Writes may be lost in a power
/// cut, for all of it can be fetched again; the file is never damaged by that.
///
/// ## Topics
///
/// ### What is due
/// - ``dueFeeds(at:limit:)``
/// - ``nextDueDate()``
/// - ``waitingFeeds(at:)``
/// - ``goodAnswers(sinceRefusalsOf:)``
/// - ``mayRun(_:)``
/// - ``fetchRecord(_:)``
/// - ``planChecks(_:)``
/// - ``rebaseChecks(at:)``
/// - ``hostLimits(at:)``
/// - ``setHostLimits(_:)``
///
/// ### Refreshes
/// - ``merge(_:within:)``
/// - ``setPhase(_:of:)``
///
/// ### What the user asked for
/// - ``refreshRequest(_:)``
/// - ``refreshRequests(finishedSince:)``
/// - ``pendingFeeds(of:)``
/// - ``attention()``
/// - ``syncPauses()``
/// - ``cancellations()``
/// - ``settle(_:of:next:)``
///
/// ### Pages, files, the feeds of a site
/// - ``pendingFullTexts(limit:)``
/// - ``waitingFullTexts()``
/// - ``pendingFullText(_:)``
/// - ``finishFullText(_:_:)``
/// - ``pendingDownloads()``
/// - ``pendingDownload(_:)``
/// - ``setDownloaded(_:received:size:added:)``
/// - ``setDownloadValidator(_:_:)``
/// - ``unfinishedDownloads()``
/// - ``finishDownload(_:_:bytes:)``
/// - ``keepsPart(ofDownload:)``
/// - ``downloadUsage(at:)``
/// - ``setDownloadHold(_:)``
/// - ``expiredDownloads(limit:)``
/// - ``forgetDownload(_:)``
/// - ``pendingPictures(limit:)``
/// - ``waitingPictures()``
/// - ``pendingPicture(_:)``
/// - ``finishPicture(_:_:)``
/// - ``picture(at:)``
/// - ``fullText(of:)``
/// - ``pendingPackItems(limit:)``
/// - ``waitingPackItems()``
/// - ``pendingPackItem(_:)``
/// - ``finishPackItem(_:_:bytes:took:)``
/// - ``download(of:)``
/// - ``spend(_:of:)``
/// - ``endPack(_:)``
/// - ``pendingRulePrograms()``
/// - ``pendingRuleProgram(_:)``
/// - ``pendingNotifications()``
/// - ``takeRulePrograms(_:)``
/// - ``endRulePrograms(_:_:)``
/// - ``pendingDiscoveries()``
/// - ``discovery(_:)``
/// - ``finishDiscovery(_:_:)``
///
/// ### Status
/// - ``syncStatus()``
/// - ``setSyncStatus(_:)``
/// - ``isTelemetryWatched()``
/// - ``setTelemetry(_:)``
///
/// ### Maintenance and changes
/// - ``maintenanceStep()``
/// - ``observe(_:_:)``
public struct EngineCache: Sendable {
  let database: CacheDatabase
}
