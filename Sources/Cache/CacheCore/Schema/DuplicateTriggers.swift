extension Schema {
  /// Chooses the canonical article anew when one is hidden, deleted, or kept unread by hand.
  package static let duplicates = """
    CREATE TRIGGER duplicate_removed AFTER DELETE ON articleStatus
    WHEN OLD.duplicateOf IS NULL
      AND EXISTS (SELECT 1 FROM articleStatus WHERE duplicateOf = OLD.articleID)
    BEGIN
      \(chooseCanonical(of: "OLD.articleID"));
    END;
    CREATE TRIGGER duplicate_hidden AFTER UPDATE OF isHidden ON articleStatus
    WHEN (OLD.isHidden = 0) <> (NEW.isHidden = 0) AND (NEW.duplicateOf IS NOT NULL
      OR EXISTS (SELECT 1 FROM articleStatus WHERE duplicateOf = NEW.articleID))
    BEGIN
      \(chooseCanonical(of: "ifnull(NEW.duplicateOf, NEW.articleID)"));
    END;
    CREATE TRIGGER duplicate_kept AFTER INSERT ON keptUnread BEGIN
      \(chooseCanonical(of: "(SELECT \(canonical) WHERE articleID = NEW.articleID)"));
    END;
    CREATE TRIGGER duplicate_free AFTER DELETE ON keptUnread BEGIN
      \(chooseCanonical(of: "(SELECT \(canonical) WHERE articleID = OLD.articleID)"));
    END;
    """

  private static let canonical = "ifnull(duplicateOf, articleID) FROM articleStatus"

  /// Returns the statement that chooses the article that mixed lists show: of those that are listed
  /// and, if there are any, kept unread by hand, the first.
  /// - Parameter canonical: an SQL expression of the key of the article that lists show now.
  package static func chooseCanonical(of canonical: String) -> String {
    """
    UPDATE articleStatus SET duplicateOf = nullif((SELECT articleID FROM articleStatus
          WHERE articleID = \(canonical) OR duplicateOf = \(canonical)
          ORDER BY isHidden <> 0, articleID NOT IN (SELECT articleID FROM keptUnread), articleID
          LIMIT 1), articleID)
        WHERE articleID = \(canonical) OR duplicateOf = \(canonical)
    """
  }
}
