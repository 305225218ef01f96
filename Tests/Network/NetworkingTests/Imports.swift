// Modules that every file of this target may use.

@_exported public import Foundation
@_exported public import Networking
@_exported public import Synchronization
@_exported public import TestSupport
@_exported public import Testing
