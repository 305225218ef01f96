-- The state of each article, and the counters that triggers derive from it.
--
-- `articleStatus` repeats feed and date, so that each list is a range of one index, in order. If
-- articles of several feeds are about one story, mixed lists show one of them; the others are
-- its duplicates. Each has a state of its own.

CREATE TABLE articleStatus (
  -- The state of an article. SQLite checks the reference at the end of a
  -- transaction, which makes insertions cheaper (decision 28).
  articleID INTEGER PRIMARY KEY
    REFERENCES article(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  -- As in `article`. It never changes.
  feedID INTEGER NOT NULL,
  -- The date of the item, else of its arrival. An article that wakes gets that moment.
  sortDate INTEGER NOT NULL,
  isRead INTEGER NOT NULL DEFAULT 0,
  isStarred INTEGER NOT NULL DEFAULT 0,
  -- 0: listed. Bits: 1, the feed was unsubscribed; 2, the user deleted the article; 4, a rule
  -- hides it; 8, it is snoozed.
  isHidden INTEGER NOT NULL DEFAULT 0,
  -- The article that mixed lists show instead; NULL: itself.
  duplicateOf INTEGER,
  -- The index of a colour of RuleAction.highlights; 0: none.
  highlight INTEGER NOT NULL DEFAULT 0,
  -- When the reader first opened it.
  openedAt INTEGER,
  -- When the user kept it for later; NULL: not kept.
  laterAt INTEGER,
  -- 1: the user marked it unread by hand, and marking lists read leaves it unread.
  isKeptUnread INTEGER NOT NULL DEFAULT 0
);
-- Unread and read articles in two ranges: an arrival writes to one place of one index.
CREATE INDEX list_all ON articleStatus(isRead, sortDate)
  WHERE isHidden = 0 AND duplicateOf IS NULL;
CREATE INDEX list_starred ON articleStatus(sortDate) WHERE isHidden = 0 AND isStarred = 1;
CREATE INDEX list_later ON articleStatus(sortDate) WHERE isHidden = 0 AND laterAt IS NOT NULL;
CREATE INDEX list_duplicates ON articleStatus(sortDate)
  WHERE isHidden = 0 AND duplicateOf IS NOT NULL;
CREATE INDEX list_all_feed ON articleStatus(feedID, sortDate) WHERE isHidden = 0;
CREATE INDEX list_unread_feed ON articleStatus(feedID, sortDate)
  WHERE isHidden = 0 AND isRead = 0;
CREATE INDEX list_starred_feed ON articleStatus(feedID, sortDate)
  WHERE isHidden = 0 AND isStarred = 1;
CREATE INDEX list_ruled ON articleStatus (feedID, sortDate) WHERE isHidden & 4 <> 0;
-- Has the times, from which a repair rebuilds lost rows.
CREATE INDEX status_later ON articleStatus(laterAt) WHERE laterAt IS NOT NULL;
CREATE INDEX status_kept ON articleStatus(articleID) WHERE isKeptUnread = 1;
CREATE INDEX status_duplicates ON articleStatus(duplicateOf) WHERE duplicateOf IS NOT NULL;

CREATE TABLE feedCounter (
  -- Numbers of listed articles for each feed, kept by triggers: no screen counts.
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  total INTEGER NOT NULL DEFAULT 0,
  unread INTEGER NOT NULL DEFAULT 0,
  starred INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE totalCounter (
  -- The same for all feeds; in `total` and `unread`, each story once.
  id INTEGER PRIMARY KEY CHECK (id = 1),
  total INTEGER NOT NULL DEFAULT 0,
  unread INTEGER NOT NULL DEFAULT 0,
  starred INTEGER NOT NULL DEFAULT 0
);
INSERT INTO totalCounter (id) VALUES (1);
CREATE TRIGGER status_added AFTER INSERT ON articleStatus WHEN NEW.isHidden = 0 BEGIN
  UPDATE feedCounter SET total = total + 1, unread = unread + (NEW.isRead = 0),
    starred = starred + NEW.isStarred WHERE feedID = NEW.feedID;
  UPDATE totalCounter SET total = total + (NEW.duplicateOf IS NULL),
    unread = unread + (NEW.duplicateOf IS NULL AND NEW.isRead = 0),
    starred = starred + NEW.isStarred WHERE id = 1;
END;
CREATE TRIGGER status_removed AFTER DELETE ON articleStatus WHEN OLD.isHidden = 0 BEGIN
  UPDATE feedCounter SET total = total - 1, unread = unread - (OLD.isRead = 0),
    starred = starred - OLD.isStarred WHERE feedID = OLD.feedID;
  UPDATE totalCounter SET total = total - (OLD.duplicateOf IS NULL),
    unread = unread - (OLD.duplicateOf IS NULL AND OLD.isRead = 0),
    starred = starred - OLD.isStarred WHERE id = 1;
END;
CREATE TRIGGER status_changed
AFTER UPDATE OF isRead, isStarred, isHidden, duplicateOf ON articleStatus
WHEN OLD.isRead <> NEW.isRead OR OLD.isStarred <> NEW.isStarred
  OR (OLD.isHidden = 0) <> (NEW.isHidden = 0)
  OR (OLD.duplicateOf IS NULL) <> (NEW.duplicateOf IS NULL)
BEGIN
  UPDATE feedCounter SET
    total = total + (NEW.isHidden = 0) - (OLD.isHidden = 0),
    unread = unread + (NEW.isHidden = 0 AND NEW.isRead = 0)
      - (OLD.isHidden = 0 AND OLD.isRead = 0),
    starred = starred + (NEW.isHidden = 0 AND NEW.isStarred = 1)
      - (OLD.isHidden = 0 AND OLD.isStarred = 1)
    WHERE feedID = NEW.feedID;
  UPDATE totalCounter SET
    total = total + (NEW.isHidden = 0 AND NEW.duplicateOf IS NULL)
      - (OLD.isHidden = 0 AND OLD.duplicateOf IS NULL),
    unread = unread + (NEW.isHidden = 0 AND NEW.duplicateOf IS NULL AND NEW.isRead = 0)
      - (OLD.isHidden = 0 AND OLD.duplicateOf IS NULL AND OLD.isRead = 0),
    starred = starred + (NEW.isHidden = 0 AND NEW.isStarred = 1)
      - (OLD.isHidden = 0 AND OLD.isStarred = 1)
    WHERE id = 1;
END;
