-- A comment inside a statement is kept in the database and printed by Schema.md. Dates are whole
-- milliseconds since 1970. A column that begins with "is" holds 0 or 1.
--
-- Folders, subscriptions, the state of their fetches, and followed lists.

CREATE TABLE folder (
  -- Folders of the subscriptions. The branch of an account is a folder at the top level.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- NULL: the top level.
  parentID INTEGER REFERENCES folder(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  position INTEGER NOT NULL,
  isExpanded INTEGER NOT NULL DEFAULT 1,
  -- Of the feeds and folders in it that have 0. 0: as around it; 1: quiet; 2: high.
  priority INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX folder_path ON folder(ifnull(parentID, 0), title);

CREATE TABLE feed (
  -- Subscriptions, and ended ones for as long as that can be undone. NULL in an option means
  -- that the configuration decides.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- "weir:…" for articles that ship with the program.
  url TEXT NOT NULL,
  -- The name that the feed gives itself.
  title TEXT NOT NULL DEFAULT '',
  userTitle TEXT,
  -- The feed's own description: plain text.
  summary TEXT,
  homePageURL TEXT,
  iconURL TEXT,
  faviconURL TEXT,
  -- RFC 5646, as the document says.
  language TEXT,
  -- Tags from the imported list: a JSON array.
  tags TEXT,
  folderID INTEGER REFERENCES folder(id) ON DELETE SET NULL,
  position INTEGER NOT NULL,
  isPaused INTEGER NOT NULL DEFAULT 0,
  -- 1: never fetched and never exported.
  isLocal INTEGER NOT NULL DEFAULT 0,
  addedAt INTEGER NOT NULL,
  -- NULL: subscribed.
  removedAt INTEGER,
  -- The account whose server has the subscription; NULL: this machine.
  accountID INTEGER,
  -- The list on the web that it was imported from. It leads into no private network and gets
  -- no credentials.
  importedFrom TEXT,
  -- 1: a followed list of feeds. Its articles report changes of the list.
  isList INTEGER NOT NULL DEFAULT 0,
  -- The number of newest articles to keep; 0: all.
  keepArticles INTEGER,
  -- The age in days up to which articles are kept; 0: any.
  keepDays INTEGER,
  -- Seconds between two checks.
  checkInterval INTEGER,
  userAgent TEXT,
  -- Empty: no proxy.
  proxy TEXT,
  -- Header fields of its requests, one per line.
  headers TEXT,
  -- A file in the format of cookies.txt.
  cookies TEXT,
  listOrder TEXT,
  -- When its articles become read.
  markPolicy TEXT,
  -- 1: the pages of new articles are fetched as they arrive.
  fetchesPages INTEGER,
  -- The number of newest episodes that are downloaded as they arrive.
  latestDownloads INTEGER,
  -- 0: as its folder; 1: quiet, kept out of Unread and Today; 2: high.
  priority INTEGER NOT NULL DEFAULT 0,
  -- Until then it is fetched, but mixed lists leave it out; NULL: it is not asleep.
  asleepUntil INTEGER
);
CREATE INDEX feed_folder ON feed(folderID);
CREATE INDEX feed_asleep ON feed(asleepUntil) WHERE asleepUntil IS NOT NULL;
CREATE UNIQUE INDEX feed_url ON feed(url, ifnull(accountID, 0)) WHERE removedAt IS NULL;
CREATE TRIGGER feed_added AFTER INSERT ON feed BEGIN
  INSERT INTO feedFetch (feedID, nextCheckAt)
    VALUES (NEW.id, CASE WHEN NEW.isLocal = 0 THEN NEW.addedAt END);
  INSERT INTO feedCounter (feedID) VALUES (NEW.id);
END;

CREATE TABLE feedFetch (
  -- The state of a feed's requests, apart from `feed` so that a fetch does not notify
  -- observers of the subscriptions.
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  -- Validators of the last answer: RFC 9110 sections 8.8.3 and 8.8.2.
  etag TEXT,
  lastModified TEXT,
  -- The address that gave the validators. They are not sent to any other.
  validatorsURL TEXT,
  -- Hexadecimal hash of the last body that was parsed.
  bodyHash TEXT,
  -- 1: a document was merged.
  hasBeenFetched INTEGER NOT NULL DEFAULT 0,
  succeededAt INTEGER,
  -- The last answer with a document: no 304.
  documentAt INTEGER,
  checkedAt INTEGER,
  -- NULL: only on request.
  nextCheckAt INTEGER,
  -- A code of CheckReason.
  nextCheckReason TEXT,
  -- From Retry-After: no request before then, not even one by the user.
  notBefore INTEGER,
  -- RefreshFailure.Kind; NULL: the last attempt did not fail.
  failureKind TEXT,
  -- The HTTP status.
  failureStatus INTEGER,
  -- A code of FailureDetail.
  failureDetail TEXT,
  -- The first of the failures in a row.
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0,
  -- The target of a permanent redirect that is not confirmed or cannot be followed, or the
  -- new address that the feed names.
  movedTo TEXT,
  movedSince INTEGER,
  -- 1: the server answered 410.
  isGone INTEGER NOT NULL DEFAULT 0,
  -- Hints of the document and its header fields for the schedule: JSON.
  updateHints TEXT,
  -- Size of the last answer as transferred.
  lastBytes INTEGER NOT NULL DEFAULT 0,
  -- Seconds of the last fetch.
  lastDuration REAL NOT NULL DEFAULT 0,
  -- "192.168.1.2 8080": the server that gave the last good answer, if it is in a private
  -- network.
  privateServer TEXT
);
CREATE INDEX feedFetch_due ON feedFetch(nextCheckAt) WHERE nextCheckAt IS NOT NULL;

CREATE TABLE hostLimit (
  -- Hosts that refused requests or slowed down, and how many at once they take.
  host TEXT PRIMARY KEY,
  -- Requests at the same time.
  atOnce INTEGER NOT NULL,
  -- A code of HostLimitReason.
  reason TEXT NOT NULL,
  -- The limit is measured again from then on.
  until INTEGER NOT NULL
);

CREATE TABLE listFeed (
  -- The feeds that followed lists named in their last answers.
  id INTEGER PRIMARY KEY,
  listID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- NULL: unsubscribed, and no longer kept for undo.
  feedID INTEGER REFERENCES feed(id) ON DELETE SET NULL,
  -- 0: the user or another list had it before.
  isAdded INTEGER NOT NULL,
  -- The folder where it was put; if it is elsewhere, the user moved it.
  folderID INTEGER,
  UNIQUE (listID, url)
);
CREATE INDEX listFeed_feed ON listFeed(feedID);

CREATE TABLE refreshRequest (
  -- Refreshes that were asked for. Requests survive a restart, and those of one scope are one.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- RefreshScope: JSON.
  scope TEXT NOT NULL,
  requestedAt INTEGER NOT NULL,
  -- Numbers of feeds.
  total INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  newArticles INTEGER NOT NULL DEFAULT 0,
  -- As transferred.
  bytes INTEGER NOT NULL DEFAULT 0,
  -- NULL: it is in progress.
  finishedAt INTEGER
);
CREATE UNIQUE INDEX refreshRequest_open ON refreshRequest(scope) WHERE finishedAt IS NULL;
CREATE INDEX refreshRequest_finished ON refreshRequest(finishedAt)
  WHERE finishedAt IS NOT NULL;

CREATE TABLE refreshRequestFeed (
  -- The feeds of each request.
  requestID INTEGER NOT NULL REFERENCES refreshRequest(id) ON DELETE CASCADE,
  feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  isDone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (requestID, feedID)
) WITHOUT ROWID;
CREATE INDEX refreshRequestFeed_feed ON refreshRequestFeed(feedID, isDone);
