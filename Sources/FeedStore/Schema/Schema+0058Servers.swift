extension Schema {
  /// Servers that do not keep what they confirm, toggle states, give wrong states or were rebuilt.
  static let servers = """
    -- For a change that was never sent: 0 or 1, the value that the last pull showed.
    ALTER TABLE outbox ADD COLUMN known INTEGER;
    -- How often the change was queued once more because no pull had shown it.
    ALTER TABLE outbox ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;
    -- The first change of the request with which it was confirmed.
    ALTER TABLE outbox ADD COLUMN request INTEGER;
    -- The server has shown another change of the same request.
    ALTER TABLE outbox ADD COLUMN isBesideShown INTEGER NOT NULL DEFAULT 0;

    -- The server is asked for the present states before it is sent changes: it may toggle them.
    ALTER TABLE account ADD COLUMN readsFirst INTEGER NOT NULL DEFAULT 0;
    -- The states that come with articles differ from the lists of ids.
    ALTER TABLE account ADD COLUMN hasWrongItemStates INTEGER NOT NULL DEFAULT 0;
    -- When a pull first got empty lists.
    ALTER TABLE account ADD COLUMN emptySince INTEGER;
    -- 0: no; 1: the user is asked what to do; 2: match articles and keep our states; 3: match
    -- articles and take the server's states.
    ALTER TABLE account ADD COLUMN rebuild INTEGER NOT NULL DEFAULT 0;

    -- Read articles that were never fetched, of a feed whose subscription was ended.
    CREATE TABLE unfetchedRead (
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      link INTEGER NOT NULL,
      PRIMARY KEY (feedID, link)
    ) WITHOUT ROWID;
    """
}
