// Modules that every file of this target may use.

@_exported public import FeedStore
@_exported public import Foundation
@_exported public import TerminalKit
@_exported public import TestSupport
@_exported public import Testing
