extension Schema {
  /// Files that go on where they stopped, and feeds whose newest files are fetched as they arrive.
  static let resuming = """
    -- What the server calls the version of which a part is there; NULL: it begins anew.
    ALTER TABLE download ADD COLUMN validator TEXT;
    -- The files of so many newest articles are fetched as they arrive.
    ALTER TABLE feed ADD COLUMN latestDownloads INTEGER;
    """
}
