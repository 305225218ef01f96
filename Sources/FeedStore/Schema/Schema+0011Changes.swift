extension Schema {
  /// Articles whose status changed without an act of the user's that the journal holds: by what
  /// servers and other readers' caches say. One row for each transaction, the newest only.
  static let changes = """
    CREATE TABLE statusChange (
      id INTEGER PRIMARY KEY,
      -- Keys, as in the journal.
      articles BLOB NOT NULL
    );
    """
}
