extension Schema {
  /// What is set for single feeds, beside how much of them is kept; NULL: as the configuration
  /// says.
  static let feedOptions = """
    -- Seconds between two checks.
    ALTER TABLE feed ADD COLUMN checkInterval INTEGER;
    ALTER TABLE feed ADD COLUMN userAgent TEXT;
    -- The address of a proxy; '': none.
    ALTER TABLE feed ADD COLUMN proxy TEXT;
    -- Header lines, one a line.
    ALTER TABLE feed ADD COLUMN headers TEXT;
    -- A file in the form of cookies.txt.
    ALTER TABLE feed ADD COLUMN cookies TEXT;
    -- The order of its articles, by its name in the configuration.
    ALTER TABLE feed ADD COLUMN listOrder TEXT;
    -- When its articles become read, by the name in the configuration.
    ALTER TABLE feed ADD COLUMN markPolicy TEXT;
    -- Whether pages are fetched: in place of the column fetchesFullText, which had no NULL.
    ALTER TABLE feed ADD COLUMN fetchesPages INTEGER;
    UPDATE feed SET fetchesPages = 1 WHERE fetchesFullText = 1;
    ALTER TABLE feed DROP COLUMN fetchesFullText;
    """
}
