// What every user of this target needs as well.
@_exported public import FeedModel
