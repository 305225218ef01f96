// What every user of this target needs as well.
@_exported public import FeedStore
@_exported public import NetworkMeasurement
@_exported public import RemoteAccounts
