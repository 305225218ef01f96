extension Schema {
  /// What a pack fetches beyond texts and pictures: discussions, and files of sound.
  static let journeys = """
    CREATE TABLE discussion (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      fetchedAt INTEGER NOT NULL,
      -- Sanitised.
      html TEXT NOT NULL
    );
    -- The pack that fetches it in its turn; NULL: it is fetched by itself.
    ALTER TABLE download ADD COLUMN packID INTEGER REFERENCES pack(id) ON DELETE SET NULL;
    CREATE INDEX download_pack ON download(packID) WHERE packID IS NOT NULL;
    """
}
