extension Schema {
  /// Packs: articles that are made ready for a time without a network, and what is fetched for
  /// them, each a row until it has ended.
  static let packs = """
    CREATE TABLE pack (
      id INTEGER PRIMARY KEY,
      query TEXT NOT NULL,
      -- Of reading.
      minutes INTEGER NOT NULL,
      -- Bytes on the wire.
      budget INTEGER NOT NULL,
      dueAt INTEGER,
      startedAt INTEGER NOT NULL,
      endedAt INTEGER,
      -- The code of a Pack.End.
      endReason TEXT,
      -- Bytes on the wire.
      received INTEGER NOT NULL DEFAULT 0,
      -- Milliseconds during which something was fetched.
      activeTime INTEGER NOT NULL DEFAULT 0,
      -- When a row of packItem ended last.
      changedAt INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX pack_open ON pack(endedAt IS NULL) WHERE endedAt IS NULL;
    CREATE TABLE packArticle (
      packID INTEGER NOT NULL REFERENCES pack(id) ON DELETE CASCADE,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      -- In reading order.
      position INTEGER NOT NULL,
      minutes INTEGER NOT NULL,
      PRIMARY KEY (packID, articleID)
    ) WITHOUT ROWID;
    CREATE INDEX packArticle_article ON packArticle(articleID);
    CREATE TABLE packItem (
      id INTEGER PRIMARY KEY,
      packID INTEGER NOT NULL REFERENCES pack(id) ON DELETE CASCADE,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      -- A Pack.Stage.
      stage INTEGER NOT NULL,
      position INTEGER NOT NULL,
      url TEXT NOT NULL,
      -- 0: waits; 1: done; 2: failed; 3: did not fit into the budget.
      state INTEGER NOT NULL DEFAULT 0,
      -- On the wire.
      bytes INTEGER NOT NULL DEFAULT 0,
      UNIQUE (packID, stage, url)
    );
    CREATE INDEX packItem_waiting ON packItem(packID, stage, position) WHERE state = 0;
    CREATE INDEX packItem_article ON packItem(articleID);
    CREATE INDEX packItem_url ON packItem(url) WHERE stage = 1;
    """
}
