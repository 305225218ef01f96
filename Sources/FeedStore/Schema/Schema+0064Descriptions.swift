extension Schema {
  /// How feeds describe themselves.
  static let descriptions = """
    -- The feed's own description, as plain text.
    ALTER TABLE feed ADD COLUMN summary TEXT;
    """
}
