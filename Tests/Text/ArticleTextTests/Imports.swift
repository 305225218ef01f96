// Modules that every file of this target may use.

@_exported public import ArticleText
@_exported public import HTMLContent
@_exported public import TestSupport
@_exported public import Testing
