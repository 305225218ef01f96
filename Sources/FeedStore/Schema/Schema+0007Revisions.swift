extension Schema {
  /// Earlier texts of articles that their publisher changed; and what several feeds say at once.
  ///
  /// `link` is a hash of the canonical address, even where that names a page of its own. Of the
  /// articles of several feeds with one such link, one is shown in mixed lists; the others are its
  /// copies, which are only in their own feeds' lists. Whatever hides or deletes the first makes
  /// a copy take its place.
  static let revisions = """
    CREATE TABLE articleRevision (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      -- When the next text took its place.
      at INTEGER NOT NULL,
      title TEXT NOT NULL,
      html TEXT NOT NULL
    );
    CREATE INDEX articleRevision_article ON articleRevision(articleID);

    ALTER TABLE article ADD COLUMN link INTEGER;
    UPDATE article SET link = weir_link(url, title, fingerprint);
    CREATE INDEX article_link ON article(link);

    ALTER TABLE articleStatus ADD COLUMN copyOf INTEGER;
    UPDATE articleStatus SET copyOf = first.id FROM (
      SELECT a.link, min(a.id) AS id FROM article a JOIN articleStatus s ON s.articleID = a.id
      WHERE s.isHidden = 0 AND a.link & 1 = 0 GROUP BY a.link
      HAVING count(*) > 1 AND count(*) = count(DISTINCT a.feedID)) first
    JOIN article a ON a.link = first.link
    WHERE articleStatus.articleID = a.id AND a.id <> first.id AND articleStatus.isHidden = 0;
    CREATE INDEX status_copies ON articleStatus(copyOf) WHERE copyOf IS NOT NULL;
    CREATE INDEX list_copies ON articleStatus(sortDate) WHERE isHidden = 0 AND copyOf IS NOT NULL;
    DROP INDEX list_all;
    DROP INDEX list_unread;
    DROP INDEX list_starred;
    CREATE INDEX list_all ON articleStatus(sortDate) WHERE isHidden = 0 AND copyOf IS NULL;
    CREATE INDEX list_unread ON articleStatus(sortDate)
      WHERE isHidden = 0 AND copyOf IS NULL AND isRead = 0;
    CREATE INDEX list_starred ON articleStatus(sortDate)
      WHERE isHidden = 0 AND copyOf IS NULL AND isStarred = 1;

    -- What was done to one of them counts for all.
    UPDATE articleStatus SET isRead = max(articleStatus.isRead, o.isRead),
        isStarred = max(articleStatus.isStarred, o.isStarred)
      FROM (SELECT copyOf, max(isRead) AS isRead, max(isStarred) AS isStarred FROM articleStatus
        WHERE copyOf IS NOT NULL GROUP BY copyOf) o WHERE articleID = o.copyOf;
    UPDATE articleStatus SET isRead = o.isRead, isStarred = o.isStarred
      FROM (SELECT articleID, isRead, isStarred FROM articleStatus) o
      WHERE articleStatus.copyOf = o.articleID;

    -- A feed counts what it lists; the total counts each story once.
    DROP TRIGGER status_added;
    DROP TRIGGER status_removed;
    DROP TRIGGER status_changed;
    CREATE TRIGGER status_added AFTER INSERT ON articleStatus WHEN NEW.isHidden = 0 BEGIN
      UPDATE feedCounter SET total = total + 1, unread = unread + (NEW.isRead = 0),
        starred = starred + NEW.isStarred WHERE feedID = NEW.feedID;
      UPDATE totalCounter SET total = total + 1, unread = unread + (NEW.isRead = 0),
        starred = starred + NEW.isStarred WHERE id = 1 AND NEW.copyOf IS NULL;
    END;
    CREATE TRIGGER status_removed AFTER DELETE ON articleStatus WHEN OLD.isHidden = 0 BEGIN
      UPDATE feedCounter SET total = total - 1, unread = unread - (OLD.isRead = 0),
        starred = starred - OLD.isStarred WHERE feedID = OLD.feedID;
      UPDATE totalCounter SET total = total - 1, unread = unread - (OLD.isRead = 0),
        starred = starred - OLD.isStarred WHERE id = 1 AND OLD.copyOf IS NULL;
    END;
    CREATE TRIGGER status_changed
    AFTER UPDATE OF isRead, isStarred, isHidden, copyOf ON articleStatus
    WHEN OLD.isRead <> NEW.isRead OR OLD.isStarred <> NEW.isStarred
      OR (OLD.isHidden = 0) <> (NEW.isHidden = 0)
      OR (OLD.copyOf IS NULL) <> (NEW.copyOf IS NULL)
    BEGIN
      UPDATE feedCounter SET
        total = total + (NEW.isHidden = 0) - (OLD.isHidden = 0),
        unread = unread + (NEW.isHidden = 0 AND NEW.isRead = 0)
          - (OLD.isHidden = 0 AND OLD.isRead = 0),
        starred = starred + (NEW.isHidden = 0 AND NEW.isStarred = 1)
          - (OLD.isHidden = 0 AND OLD.isStarred = 1)
        WHERE feedID = NEW.feedID;
      UPDATE totalCounter SET
        total = total + (NEW.isHidden = 0 AND NEW.copyOf IS NULL)
          - (OLD.isHidden = 0 AND OLD.copyOf IS NULL),
        unread = unread + (NEW.isHidden = 0 AND NEW.copyOf IS NULL AND NEW.isRead = 0)
          - (OLD.isHidden = 0 AND OLD.copyOf IS NULL AND OLD.isRead = 0),
        starred = starred + (NEW.isHidden = 0 AND NEW.copyOf IS NULL AND NEW.isStarred = 1)
          - (OLD.isHidden = 0 AND OLD.copyOf IS NULL AND OLD.isStarred = 1)
        WHERE id = 1;
    END;
    UPDATE totalCounter SET (total, unread, starred) =
      (SELECT count(*), ifnull(sum(isRead = 0), 0), ifnull(sum(isStarred = 1), 0)
        FROM articleStatus WHERE isHidden = 0 AND copyOf IS NULL);

    -- The first of its copies takes an article's place when it goes.
    CREATE TRIGGER copy_inherits AFTER DELETE ON articleStatus
    WHEN OLD.copyOf IS NULL AND EXISTS (SELECT 1 FROM articleStatus WHERE copyOf = OLD.articleID)
    BEGIN
      UPDATE articleStatus SET copyOf = nullif((SELECT articleID FROM articleStatus
          WHERE copyOf = OLD.articleID ORDER BY isHidden <> 0, articleID LIMIT 1), articleID)
        WHERE copyOf = OLD.articleID;
    END;
    CREATE TRIGGER copy_replaces AFTER UPDATE OF isHidden ON articleStatus
    WHEN OLD.isHidden = 0 AND NEW.isHidden <> 0 AND NEW.copyOf IS NULL
      AND EXISTS (SELECT 1 FROM articleStatus WHERE copyOf = NEW.articleID AND isHidden = 0)
    BEGIN
      UPDATE articleStatus SET copyOf = nullif((SELECT articleID FROM articleStatus
          WHERE copyOf = NEW.articleID AND isHidden = 0 ORDER BY articleID LIMIT 1), articleID)
        WHERE copyOf = NEW.articleID OR articleID = NEW.articleID;
    END;
    -- Where the first is hidden, one that comes back takes its place.
    CREATE TRIGGER copy_returns AFTER UPDATE OF isHidden ON articleStatus
    WHEN OLD.isHidden <> 0 AND NEW.isHidden = 0 AND NEW.copyOf IS NOT NULL
      AND (SELECT isHidden FROM articleStatus WHERE articleID = NEW.copyOf) <> 0
    BEGIN
      UPDATE articleStatus SET copyOf = nullif(NEW.articleID, articleID)
        WHERE copyOf = NEW.copyOf OR articleID IN (NEW.copyOf, NEW.articleID);
    END;
    """
}
