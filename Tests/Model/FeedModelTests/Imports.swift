// Modules that every file of this target may use.

@_exported public import FeedModel
@_exported public import Foundation
@_exported public import Testing
