// Types of `FeedParser` and `OPML` that other targets of Weir share.
@_exported public import struct FeedModel.Author
@_exported public import struct FeedModel.Enclosure
@_exported public import enum FeedModel.FeedFormat
@_exported public import struct FeedModel.OutlineEntry
@_exported public import struct FeedModel.ParsedFeed
@_exported public import struct FeedModel.ParsedItem
@_exported public import struct FeedModel.UpdateHints
