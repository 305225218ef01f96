// The type of an extracted article, which other targets of Weir share.
@_exported public import struct FeedModel.MainContent
