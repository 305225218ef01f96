extension Schema {
  /// What was done to one copy of a story itself, where that differs from what the lists show.
  ///
  /// All copies of a story are shown with one state (`articleStatus`). An account's server knows of
  /// its own copy only, and a star that it removes is not one that the user gave another copy.
  static let copies = """
    CREATE TABLE ownStatus (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      isRead INTEGER NOT NULL,
      isStarred INTEGER NOT NULL
    );
    """
}
