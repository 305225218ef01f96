extension Schema {
  /// Tags of articles travel to accounts' servers and back, and feeds stand as the server has them.
  static let labels = """
    -- The account's server has shown that the article has it: it goes where the server no longer shows it.
    ALTER TABLE articleTag ADD COLUMN isRemote INTEGER NOT NULL DEFAULT 0;
    -- What the server calls a tag. Labels that are folders there are not among them.
    CREATE TABLE remoteLabel (
      accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
      tag TEXT NOT NULL COLLATE NOCASE,
      label TEXT NOT NULL,
      UNIQUE (accountID, tag)
    );
    -- The server takes no tags: those of its articles stay here.
    ALTER TABLE account ADD COLUMN refusesTags INTEGER NOT NULL DEFAULT 0;
    -- The place in the server's list, as it gave it last.
    ALTER TABLE remoteFeed ADD COLUMN position INTEGER;
    """
}
