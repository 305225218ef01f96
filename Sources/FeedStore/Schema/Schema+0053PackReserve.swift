extension Schema {
  /// Articles that join a pack while there is room, and how long each part took.
  static let packReserve = """
    -- It joins the pack when the articles before it took less than was expected.
    ALTER TABLE packArticle ADD COLUMN isReserve INTEGER NOT NULL DEFAULT 0;
    -- Milliseconds from the end of the part before to its own. The state of parts of articles in
    -- reserve is 4.
    ALTER TABLE packItem ADD COLUMN took INTEGER NOT NULL DEFAULT 0;
    """
}
