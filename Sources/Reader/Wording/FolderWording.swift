import Foundation

/// The shared folder, in words.
package struct FolderWording {
  private let dates: DateWording

  package init(dates: DateWording) { self.dates = dates }

  /// Returns a problem without a full stop.
  package static func happened(_ problem: FolderProblem, path: String) -> String {
    switch problem {
    case .away: "\(path) is not there"
    case .notFolder: "\(path) is a file, not a folder"
    case .noMark: "\(path) has no file weir-folder.json"
    case .incompleteMark: "\(path)/weir-folder.json is incomplete"
    case .otherFolder: "\(path) is not the folder that you joined"
    case .otherFormat: "A later version of Weir made \(path)"
    case .unreadable: "\(path) can\u{2019}t be read"
    case .readOnly: "\(path) can\u{2019}t be written"
    case .full: "There is no space left for \(path)"
    case .tooManyDevices: "\(path) has files of more than \(Limits.devices) devices"
    case .noLock: "The file weir.db-folder beside the database can\u{2019}t be opened"
    case .inUse: "Another process of Weir exchanges with \(path)"
    case .filesMissing: "Files of this machine are missing in \(path)"
    }
  }

  /// Returns the remedy as a sentence with a full stop.
  package static func remedy(_ problem: FolderProblem) -> String {
    switch problem {
    case .away: "Is it mounted? Your changes wait until it is back."
    case .noMark:
      "If it was emptied, put its files back: nothing was changed here, and your changes wait."
    case .incompleteMark:
      "Perhaps it is still being copied. Your changes wait. If it stays so, restore it."
    case .otherFolder:
      "Mount the right one. If two machines made the folder at the same time, leave it here and "
        + "join it again. Your changes wait."
    case .otherFormat: "Update Weir on this machine. Your changes wait."
    case .notFolder: "Name a folder, or move the file away. Your changes wait."
    case .unreadable: "Check its permissions. Your changes wait."
    case .readOnly:
      "Check its permissions, and whether it is mounted read-only. Your changes wait."
    case .full: "Your changes wait until there is space."
    case .tooManyDevices:
      "\u{201C}weir account forget DEVICE\u{201D} makes room for each that you no longer use."
    case .noLock: "Check its permissions, or remove it. Your changes wait."
    case .inUse: "Try again once it has ended. Your changes wait."
    case .filesMissing:
      "Put them back from a backup, or leave the folder and join it again: machines that have not "
        + "read them lack these changes. New changes are exchanged."
    }
  }

  package func state(_ folder: FolderRow) -> String {
    if let problem = folder.problem { return Self.happened(problem, path: folder.path) }
    guard let at = folder.exchangedAt else { return "not read yet" }
    return "exchanged \(dates.moment(Date(timeIntervalSince1970: TimeInterval(at) / 1_000)))"
  }

  /// Returns the number of changes that are in no file; empty for none.
  package static func waiting(_ count: Int) -> String {
    count == 0 ? "" : "⇡ \(AmountWording.changes(count)) to be written"
  }

  package static func written(_ count: Int, path: String) -> String {
    "Wrote \(AmountWording.changes(count)) into \(path)"
  }

  private static func happened(_ problem: DeviceProblem) -> String {
    switch problem.kind {
    case .incomplete: "\(problem.file) has not arrived completely"
    case .otherFormat:
      "\(problem.file) is of a later version of Weir, which this machine needs to read it"
    case .malformed, .ahead: "\(problem.file) is not what its name says and is skipped"
    case .unreadable:
      "what has this name in devices can\u{2019}t be read as a folder and is skipped"
    }
  }

  /// Returns when a device was seen, and what is wrong with it.
  package func state(_ device: SharedDevice) -> String {
    var parts = [device.seenAt.map { "seen \(dates.moment($0))" } ?? "not seen yet"]
    if let problem = device.problem { parts.append(Self.happened(problem)) }
    if let gap = device.progress.gaps.first {
      parts.append("changes \(gap.lowerBound) to \(gap.upperBound) have not arrived")
    }
    if device.isAhead { parts.append("its clock is more than a day ahead of this one") }
    switch device.agreement {
    case .same: parts.append("same state as this machine")
    case .different: parts.append("state differs from this machine\u{2019}s")
    case .unknown: break
    }
    return parts.joined(separator: "; ")
  }

  /// The lack of a feed of another device.
  package static let unconfirmed = "gets no credentials and reaches no private address here"

  package static func preview(_ plan: OnboardingPlan) -> String {
    "\(AmountWording.feeds(plan.there)) there, \(AmountWording.grouped(plan.here)) here, "
      + "\(AmountWording.grouped(plan.same)) the same"
  }
}
