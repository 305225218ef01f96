// Modules that every file of this target may use.

@_exported public import FolderStore
@_exported public import TestSupport
@_exported public import Testing
