extension Schema {
  /// Lists of feeds (OPML) that are followed: what they add is subscribed to, what they drop is
  /// unsubscribed from.
  static let followedLists = """
    -- Its document is a list of feeds, not of articles.
    ALTER TABLE feed ADD COLUMN isList INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE listFeed (
      id INTEGER PRIMARY KEY,
      listID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      -- As the list names it.
      url TEXT NOT NULL,
      -- NULL: it was unsubscribed, and is forgotten.
      feedID INTEGER REFERENCES feed(id) ON DELETE SET NULL,
      -- 0: the user had it before the list named it.
      isAdded INTEGER NOT NULL,
      -- Where it was put; NULL: the top level.
      folderID INTEGER,
      UNIQUE (listID, url)
    );
    CREATE INDEX listFeed_feed ON listFeed(feedID);
    """
}
