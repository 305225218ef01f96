extension Schema {
  /// Saved searches are undone like folders and tags: by their rows before and after. The entries
  /// of earlier versions, which named the search and its other name, become such rows; what was
  /// removed is only in the journal from now on.
  static let oneUndo = """
    UPDATE journal SET changes = (SELECT json_array(json_object(
        'table', 'savedSearch', 'id', s.id,
        'before', CASE WHEN journal.kind <> 'saveSearch' THEN json_array(
          iif(journal.kind = 'renameSearch' AND journal.isUndone = 0, journal.otherName, s.name),
          s.query, CAST(s.position AS TEXT)) END,
        'after', CASE WHEN journal.kind <> 'removeSearch' THEN json_array(
          CASE WHEN journal.kind = 'saveSearch' THEN journal.subject
            WHEN journal.isUndone = 1 THEN journal.otherName ELSE s.name END,
          s.query, CAST(s.position AS TEXT)) END))
      FROM savedSearch s WHERE s.id = journal.searchID)
    WHERE searchID IS NOT NULL;

    -- With all rows first, so that no key is given again.
    CREATE TABLE keptSearch (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      query TEXT NOT NULL,
      position INTEGER NOT NULL
    );
    INSERT INTO keptSearch SELECT id, name, query, position FROM savedSearch;
    DELETE FROM keptSearch WHERE id IN (SELECT id FROM savedSearch WHERE removedAt IS NOT NULL);
    DROP TABLE savedSearch;
    ALTER TABLE keptSearch RENAME TO savedSearch;
    ALTER TABLE journal DROP COLUMN searchID;
    ALTER TABLE journal DROP COLUMN otherName;
    """
}
