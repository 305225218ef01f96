public import FeedStore
public import TerminalKit
