// The type of picture sizes, which other targets of Weir share.
@_exported public import struct FeedModel.PictureSize
