-- The folder that the devices of one user share, and their entries. Numbers of devices, feeds
-- and objects are unsigned and stored by their bits.

CREATE TABLE syncFolder (
  -- The shared folder, at most one.
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Of the directory with weir-folder.json.
  path TEXT NOT NULL,
  -- The id in weir-folder.json.
  mark TEXT NOT NULL,
  -- This device.
  device INTEGER NOT NULL,
  -- Its name for people.
  name TEXT NOT NULL,
  -- Hash of the machine's id, which tells a copy of the cache on another machine.
  machine INTEGER NOT NULL,
  -- 0: its files are read for the preview, and nothing is applied or written.
  isJoined INTEGER NOT NULL DEFAULT 0,
  -- The number of the last own entry.
  lastNumber INTEGER NOT NULL DEFAULT 0,
  -- Timestamp of the hybrid clock.
  clock INTEGER NOT NULL DEFAULT 0,
  -- StateDigest of `folderRegister`.
  digest INTEGER NOT NULL DEFAULT 0,
  -- The row of `journal` that receives the changes of joining; NULL: all articles have joined.
  joining INTEGER,
  -- The versions in `changeVersion` when feeds, searches and rules were last compared.
  compared INTEGER NOT NULL DEFAULT 0,
  -- When reading positions were last written as entries.
  positionsAt INTEGER NOT NULL DEFAULT 0,
  -- When the newest compacted file was written.
  compactedAt INTEGER NOT NULL DEFAULT 0,
  -- When files were last exchanged without a problem.
  exchangedAt INTEGER,
  -- A code of FolderProblem; NULL: none.
  problem TEXT
);
CREATE TRIGGER syncFolder_left AFTER DELETE ON syncFolder BEGIN
  DELETE FROM folderDevice;
  DELETE FROM folderFile;
  DELETE FROM folderRegister;
  DELETE FROM folderFeed;
  DELETE FROM folderObject;
  DELETE FROM folderAct;
  DELETE FROM folderPosition;
  DELETE FROM folderEntry;
END;

CREATE TABLE folderDevice (
  -- The other devices.
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL DEFAULT '',
  -- All its entries up to this number have arrived.
  contiguous INTEGER NOT NULL DEFAULT 0,
  -- The last number of its newest file here.
  lastNumber INTEGER NOT NULL DEFAULT 0,
  -- When a new file of it arrived.
  seenAt INTEGER,
  -- ProgressReport of that file: JSON.
  report TEXT,
  -- 1: not listed until a new file of it arrives.
  isForgotten INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE folderFile (
  -- Files that were read or refused, and the names of all own files, each stored before it is
  -- written.
  device INTEGER NOT NULL,
  -- Empty for the directory.
  name TEXT NOT NULL,
  -- DeviceProblem; NULL: the file was read to its end.
  refused TEXT,
  PRIMARY KEY (device, name)
) WITHOUT ROWID;

CREATE TABLE folderRegister (
  -- The newest value of each field that a device has set. Values of articles that are not here
  -- are applied when these arrive.
  -- 1: of a feed; 2: of an article; 3: of an object.
  kind INTEGER NOT NULL,
  -- FeedKey or ObjectID.
  subject INTEGER NOT NULL,
  -- As `article.identity`; 0 for others.
  item INTEGER NOT NULL,
  field TEXT NOT NULL,
  -- Timestamp.
  time INTEGER NOT NULL,
  device INTEGER NOT NULL,
  -- JSON.
  value TEXT NOT NULL,
  -- The other members of the entry: JSON.
  rest TEXT,
  -- As `article.link`, if that identifies a story.
  link INTEGER,
  PRIMARY KEY (kind, subject, item, field)
) WITHOUT ROWID;
CREATE INDEX folderRegister_link ON folderRegister(subject, link) WHERE link IS NOT NULL;

CREATE TABLE folderFeed (
  -- The feeds of the folder that are here.
  -- FeedKey.
  key INTEGER PRIMARY KEY,
  -- NULL: the feed was removed.
  feedID INTEGER REFERENCES feed(id) ON DELETE SET NULL,
  -- 0: new entries use this key of the feed.
  place INTEGER NOT NULL,
  -- Its articles with an `identity` up to this one have the states of the folder; NULL: all.
  mergedTo INTEGER
);
CREATE INDEX folderFeed_feed ON folderFeed(feedID);
CREATE INDEX folderFeed_merging ON folderFeed(key) WHERE mergedTo IS NOT NULL;

CREATE TABLE folderObject (
  -- The saved searches and rules of the folder that are or were here.
  -- ObjectID.
  object INTEGER PRIMARY KEY,
  -- The table.
  source TEXT NOT NULL,
  -- The key there.
  rowKey INTEGER NOT NULL
);

CREATE TABLE folderAct (
  -- Acts of the user that have no entry yet, written in their transactions.
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  isUndo INTEGER NOT NULL,
  -- As in `journal`.
  images TEXT NOT NULL
);
CREATE TRIGGER journal_added AFTER INSERT ON journal
WHEN EXISTS (SELECT 1 FROM syncFolder WHERE isJoined = 1) BEGIN
  INSERT INTO folderAct (at, isUndo, images) VALUES (NEW.at, 0, NEW.images);
END;
CREATE TRIGGER journal_undone AFTER UPDATE OF isUndone ON journal
WHEN EXISTS (SELECT 1 FROM syncFolder WHERE isJoined = 1) BEGIN
  INSERT INTO folderAct (at, isUndo, images) VALUES (NEW.undoneAt, NEW.isUndone, NEW.images);
END;
CREATE TABLE folderPosition (
  -- Articles whose row in `readingPosition` has changed here and has no entry yet.
  articleID INTEGER PRIMARY KEY
);
CREATE TRIGGER readingPosition_set AFTER INSERT ON readingPosition
WHEN EXISTS (SELECT 1 FROM syncFolder WHERE isJoined = 1) BEGIN
  INSERT OR IGNORE INTO folderPosition (articleID) VALUES (NEW.articleID);
END;
CREATE TRIGGER readingPosition_removed AFTER DELETE ON readingPosition
WHEN EXISTS (SELECT 1 FROM syncFolder WHERE isJoined = 1) BEGIN
  INSERT OR IGNORE INTO folderPosition (articleID) VALUES (OLD.articleID);
END;
CREATE TABLE folderEntry (
  -- Own entries that are in no file yet.
  number INTEGER PRIMARY KEY,
  -- As in the file.
  line BLOB NOT NULL
);
