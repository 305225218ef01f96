extension Schema {
  /// Chooses the canonical article anew when one is hidden, deleted, or kept unread by hand.
  package static let duplicates = """
    CREATE TRIGGER duplicate_removed AFTER DELETE ON articleStatus
    WHEN OLD.duplicateOf IS NULL
      AND EXISTS (SELECT 1 FROM articleStatus WHERE duplicateOf = OLD.articleID)
    BEGIN
      \(chooseCanonical(of: "OLD.articleID"));
    END;
    CREATE TRIGGER duplicate_changed AFTER UPDATE OF isHidden, isKeptUnread ON articleStatus
    WHEN ((OLD.isHidden = 0) <> (NEW.isHidden = 0) OR OLD.isKeptUnread <> NEW.isKeptUnread)
      AND (NEW.duplicateOf IS NOT NULL
        OR EXISTS (SELECT 1 FROM articleStatus WHERE duplicateOf = NEW.articleID))
    BEGIN
      \(chooseCanonical(of: "ifnull(NEW.duplicateOf, NEW.articleID)"));
    END;
    """

  /// Returns the statement that chooses the article that mixed lists show: of those that are listed
  /// and, if there are any, kept unread by hand, the first.
  /// - Parameter canonical: an SQL expression of the key of the article that lists show now.
  package static func chooseCanonical(of canonical: String) -> String {
    """
    UPDATE articleStatus SET duplicateOf = nullif((SELECT articleID FROM articleStatus
          WHERE articleID = \(canonical) OR duplicateOf = \(canonical)
          ORDER BY isHidden <> 0, isKeptUnread = 0, articleID LIMIT 1), articleID)
        WHERE articleID = \(canonical) OR duplicateOf = \(canonical)
    """
  }
}
