extension Schema {
  /// The feed or list that named an address, and the private server that answered it.
  static let namers = """
    -- "192.168.1.2 8080": the server that gave the last good answer, if it is in a private network.
    ALTER TABLE feedFetch ADD COLUMN privateServer TEXT;
    -- The list on the web that it was imported from.
    ALTER TABLE feed ADD COLUMN importedFrom TEXT;
    -- The feed whose article shows it.
    ALTER TABLE picture DROP COLUMN feedHost;
    ALTER TABLE picture ADD COLUMN feedID INTEGER;
    """
}
