public import FeedStore
public import Networking
