-- The undo journal, the state of maintenance, and rows that processes publish for each other.
--
-- Observed tables have a rowid, because SQLite's update hook does not report other tables.

CREATE TABLE journal (
  -- Changes by the user, for undo: 30 days and 1,000 entries.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- JournalEntry.Kind.
  kind TEXT NOT NULL,
  -- Articles or feeds that it changed.
  count INTEGER NOT NULL,
  -- The name of the changed article or feed, if it is one.
  subject TEXT,
  at INTEGER NOT NULL,
  -- 1: it can be redone.
  isUndone INTEGER NOT NULL DEFAULT 0,
  -- When it was last undone or redone.
  undoneAt INTEGER NOT NULL DEFAULT 0,
  -- RowImages of the changed rows: JSON.
  images TEXT NOT NULL
);

CREATE TABLE visit (
  -- The last session of the reader.
  id INTEGER PRIMARY KEY CHECK (id = 1),
  endedAt INTEGER NOT NULL,
  -- The newest article of the cache then.
  articleID INTEGER NOT NULL
);
CREATE TABLE maintenanceTask (
  -- MaintenanceTask.
  task TEXT PRIMARY KEY,
  -- 0: it is in progress.
  doneAt INTEGER NOT NULL DEFAULT 0,
  -- Where it continues.
  position INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE changeVersion (
  -- A counter for each bit of StoreChange, for other processes. Each commit that changes such
  -- rows increments it.
  kind INTEGER PRIMARY KEY,
  version INTEGER NOT NULL DEFAULT 0
);
INSERT INTO changeVersion (kind) VALUES
  (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13);
CREATE TABLE statusChange (
  -- Articles whose state was changed by a server or an import, for observers of events: the
  -- newest 1,000 transactions.
  id INTEGER PRIMARY KEY,
  -- Keys: ascending, as differences in LEB128.
  articles BLOB NOT NULL
);

CREATE TABLE discovery (
  -- Addresses where feeds are searched. Kept for a day.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL,
  askedAt INTEGER NOT NULL,
  isWaiting INTEGER NOT NULL DEFAULT 1,
  -- JSON.
  answer TEXT
);
CREATE TABLE attention (
  -- Feeds on the screens of running processes, which are refreshed first.
  owner TEXT NOT NULL,
  -- 0: the most important.
  rank INTEGER NOT NULL,
  feedID INTEGER NOT NULL,
  PRIMARY KEY (owner, rank)
);
CREATE TABLE syncPause (
  -- Pauses by the user. They end with the process.
  -- SyncPause.Scope: JSON.
  scope TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  since INTEGER NOT NULL
);
CREATE TABLE cancellation (
  -- Operations that the engine should end; void after a minute.
  -- SyncCancellation: JSON.
  scope TEXT PRIMARY KEY,
  at INTEGER NOT NULL
);

CREATE TABLE syncStatus (
  -- The engine's status.
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The engine's process; no feed is being refreshed if it has ended.
  owner TEXT NOT NULL,
  -- SyncStatus.
  json TEXT NOT NULL
);
CREATE TABLE telemetryWatch (
  -- Processes that show the console. The engine publishes `telemetry` for them.
  owner TEXT PRIMARY KEY
);
CREATE TABLE telemetry (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The engine's process; its operations are void if it has ended.
  owner TEXT NOT NULL,
  -- SyncTelemetry.
  json TEXT NOT NULL
);
