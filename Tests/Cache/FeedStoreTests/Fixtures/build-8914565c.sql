CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE folder (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parentID INTEGER REFERENCES folder(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  position INTEGER NOT NULL,
  isExpanded INTEGER NOT NULL DEFAULT 1
, score INTEGER NOT NULL DEFAULT 0);
CREATE TABLE feed (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  userTitle TEXT,
  homePageURL TEXT,
  iconURL TEXT,
  faviconURL TEXT,
  language TEXT,
  tags TEXT,
  folderID INTEGER REFERENCES folder(id) ON DELETE SET NULL,
  position INTEGER NOT NULL,
  isPaused INTEGER NOT NULL DEFAULT 0,
  -- Articles that ship with the program: never fetched, never exported.
  isLocal INTEGER NOT NULL DEFAULT 0,
  addedAt INTEGER NOT NULL,
  -- Unsubscribed, and kept as long as that can be undone.
  removedAt INTEGER
, keepArticles INTEGER, keepDays INTEGER, accountID INTEGER, score INTEGER NOT NULL DEFAULT 0, checkInterval INTEGER, userAgent TEXT, proxy TEXT, headers TEXT, cookies TEXT, listOrder TEXT, markPolicy TEXT, fetchesPages INTEGER, latestDownloads INTEGER, isList INTEGER NOT NULL DEFAULT 0);
CREATE TABLE feedFetch (
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  etag TEXT,
  lastModified TEXT,
  validatorsURL TEXT,
  bodyHash TEXT,
  hasBeenFetched INTEGER NOT NULL DEFAULT 0,
  succeededAt INTEGER,
  checkedAt INTEGER,
  nextCheckAt INTEGER,
  nextCheckReason TEXT,
  notBefore INTEGER,
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0,
  movedTo TEXT,
  movedSince INTEGER,
  isGone INTEGER NOT NULL DEFAULT 0,
  updateHints TEXT,
  phase INTEGER NOT NULL DEFAULT 0,
  phaseOwner TEXT,
  lastBytes INTEGER NOT NULL DEFAULT 0,
  lastDuration REAL NOT NULL DEFAULT 0
);
CREATE TABLE article (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  -- 64-bit hashes of the item's id, and of everything that it says.
  identity INTEGER NOT NULL,
  fingerprint INTEGER NOT NULL,
  title TEXT NOT NULL,
  author TEXT,
  url TEXT,
  firstSeenAt INTEGER NOT NULL,
  hasEnclosure INTEGER NOT NULL
, link INTEGER);
CREATE TABLE articleBody (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  itemID TEXT NOT NULL,
  html TEXT NOT NULL,
  summary TEXT,
  externalURL TEXT,
  commentsURL TEXT,
  imageURL TEXT,
  language TEXT,
  -- JSON arrays of strings; of authors: name, address, name, address, ...
  authors TEXT,
  tags TEXT,
  publishedAt INTEGER,
  updatedAt INTEGER
);
CREATE TABLE enclosure (
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  url TEXT NOT NULL,
  mimeType TEXT NOT NULL,
  title TEXT,
  size INTEGER,
  duration REAL,
  PRIMARY KEY (articleID, position)
) WITHOUT ROWID;
CREATE TABLE articleStatus (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  feedID INTEGER NOT NULL,
  sortDate INTEGER NOT NULL,
  isRead INTEGER NOT NULL DEFAULT 0,
  isStarred INTEGER NOT NULL DEFAULT 0,
  isHidden INTEGER NOT NULL DEFAULT 0
, copyOf INTEGER, score INTEGER NOT NULL DEFAULT 0, highlight INTEGER NOT NULL DEFAULT 0, openedAt INTEGER);
CREATE TABLE feedCounter (
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  total INTEGER NOT NULL DEFAULT 0,
  unread INTEGER NOT NULL DEFAULT 0,
  starred INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE totalCounter (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  total INTEGER NOT NULL DEFAULT 0,
  unread INTEGER NOT NULL DEFAULT 0,
  starred INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE tombstone (
  feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  identity INTEGER NOT NULL,
  at INTEGER NOT NULL, listedAt INTEGER NOT NULL DEFAULT 0, likeness INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (feedID, identity)
) WITHOUT ROWID;
CREATE TABLE refreshRequest (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- all, folder:3, feed:7, feeds:1,2,5
  scope TEXT NOT NULL,
  requestedAt INTEGER NOT NULL,
  total INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  newArticles INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  finishedAt INTEGER
, unchanged INTEGER NOT NULL DEFAULT 0);
CREATE TABLE refreshRequestFeed (
  requestID INTEGER NOT NULL REFERENCES refreshRequest(id) ON DELETE CASCADE,
  feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  isDone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (requestID, feedID)
) WITHOUT ROWID;
CREATE TABLE discovery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL,
  askedAt INTEGER NOT NULL,
  isWaiting INTEGER NOT NULL DEFAULT 1,
  -- The answer, as JSON.
  answer TEXT
);
CREATE TABLE syncStatus (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  json TEXT NOT NULL
);
CREATE TABLE attention (
  owner TEXT NOT NULL,
  rank INTEGER NOT NULL,
  feedID INTEGER NOT NULL,
  PRIMARY KEY (owner, rank)
);
CREATE TABLE journal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  subject TEXT,
  at INTEGER NOT NULL,
  isUndone INTEGER NOT NULL DEFAULT 0,
  -- The articles whose state changed, and only those: ascending, as differences in LEB128.
  articles BLOB
, changes TEXT);
CREATE TABLE journalFeed (
  entryID INTEGER NOT NULL REFERENCES journal(id) ON DELETE CASCADE,
  feedID INTEGER NOT NULL,
  PRIMARY KEY (entryID, feedID)
) WITHOUT ROWID;
CREATE TABLE changeVersion (
  kind INTEGER PRIMARY KEY,
  version INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE telemetryWatch (owner TEXT PRIMARY KEY);
CREATE TABLE telemetry (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The engine's process: what a dead one told is void.
  owner TEXT NOT NULL,
  at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  ceiling INTEGER NOT NULL,
  -- Reason and count by turns, in JSON.
  waiting TEXT NOT NULL
);
CREATE TABLE telemetryHost (
  host TEXT PRIMARY KEY,
  inFlight INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  pausedUntil INTEGER,
  status INTEGER,
  answeredAt INTEGER,
  latency REAL,
  place INTEGER NOT NULL
, atOnce INTEGER NOT NULL DEFAULT 0, reason TEXT);
CREATE TABLE telemetrySample (
  at INTEGER PRIMARY KEY,
  rate REAL NOT NULL,
  latency REAL,
  queueing REAL,
  width INTEGER NOT NULL,
  inFlight INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  grade TEXT
);
CREATE TABLE syncPause (
  -- all, host:example.org
  scope TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  since INTEGER NOT NULL
);
CREATE TABLE cancellation (
  -- waiting, feed:7
  scope TEXT PRIMARY KEY,
  at INTEGER NOT NULL
);
CREATE TABLE searchState (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  doneTo INTEGER NOT NULL
);
CREATE TABLE searchStale (
  articleID INTEGER PRIMARY KEY,
  title TEXT,
  author TEXT,
  tags TEXT,
  html TEXT
);
CREATE TABLE fullText (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  askedAt INTEGER NOT NULL,
  -- By a person who waits for it, and not by the feed's setting.
  isWanted INTEGER NOT NULL,
  isWaiting INTEGER NOT NULL DEFAULT 1,
  isShown INTEGER NOT NULL DEFAULT 1,
  html TEXT,
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE upkeep (
  task TEXT PRIMARY KEY,
  doneAt INTEGER NOT NULL DEFAULT 0,
  -- Where the task goes on, while it is not done.
  place INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE articleRevision (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  -- When the next text took its place.
  at INTEGER NOT NULL,
  title TEXT NOT NULL,
  html TEXT NOT NULL
);
CREATE TABLE articleTag (
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  tag TEXT NOT NULL COLLATE NOCASE, isRemote INTEGER NOT NULL DEFAULT 0,
  UNIQUE (articleID, tag)
);
CREATE TABLE readingPosition (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  share REAL NOT NULL
);
CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  user TEXT NOT NULL,
  title TEXT NOT NULL,
  -- A JSON array: the program that prints the password, and its arguments.
  passwordCommand TEXT,
  folderID INTEGER REFERENCES folder(id) ON DELETE SET NULL,
  addedAt INTEGER NOT NULL,
  -- Somebody asked for a sync that has not been done yet.
  requestedAt INTEGER,
  syncedAt INTEGER,
  nextSyncAt INTEGER,
  syncOwner TEXT,
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0
, pausedUntil INTEGER, refusesTags INTEGER NOT NULL DEFAULT 0);
CREATE TABLE remoteFeed (
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  remoteID TEXT,
  title TEXT NOT NULL DEFAULT '',
  folder TEXT NOT NULL DEFAULT ''
, renewal INTEGER NOT NULL DEFAULT 0, position INTEGER);
CREATE TABLE remoteArticle (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  remoteID TEXT NOT NULL
);
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  -- The server's name of an article, or the key of a feed here.
  item TEXT NOT NULL,
  -- read, starred; subscribed, title, folder
  key TEXT NOT NULL,
  want TEXT NOT NULL,
  changedAt INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  nextTry INTEGER NOT NULL DEFAULT 0,
  -- 0: to be sent; 1: the server said yes, and a pull is to show it; 2: refused, set aside.
  state INTEGER NOT NULL DEFAULT 0,
  confirmedAt INTEGER,
  -- No pull had shown it, so it was sent once more.
  isUnanswered INTEGER NOT NULL DEFAULT 0,
  detail TEXT, checkedAt INTEGER, heldUntil INTEGER NOT NULL DEFAULT 0,
  UNIQUE (accountID, item, key)
);
CREATE TABLE download (
  id INTEGER PRIMARY KEY,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  askedAt INTEGER NOT NULL,
  isWaiting INTEGER NOT NULL DEFAULT 1,
  received INTEGER NOT NULL DEFAULT 0,
  -- Of the whole file, where the server says it.
  size INTEGER,
  -- Where it was saved.
  path TEXT,
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0, validator TEXT, isPaused INTEGER NOT NULL DEFAULT 0, place INTEGER NOT NULL DEFAULT 0, ignoresLimits INTEGER NOT NULL DEFAULT 0, savedAt INTEGER, packID INTEGER REFERENCES pack(id) ON DELETE SET NULL,
  UNIQUE (articleID, url)
);
CREATE TABLE telemetryOperation (
  -- What `id` is the key of: 0 a feed, 1 a discovery, 2 an article whose page is fetched,
  -- 3 a download.
  kind INTEGER NOT NULL,
  id INTEGER NOT NULL,
  host TEXT NOT NULL,
  class INTEGER NOT NULL,
  isRunning INTEGER NOT NULL,
  -- The stage where it runs, else the reason why it waits.
  detail INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  since INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE TABLE statusChange (
  id INTEGER PRIMARY KEY,
  -- Keys, as in the journal.
  articles BLOB NOT NULL
);
CREATE TABLE ownStatus (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  isRead INTEGER NOT NULL,
  isStarred INTEGER NOT NULL
);
CREATE TABLE hostLimit (
  host TEXT PRIMARY KEY,
  atOnce INTEGER NOT NULL,
  -- The code of a HostLimitReason.
  reason TEXT NOT NULL,
  -- Milliseconds since 1970.
  until INTEGER NOT NULL
);
CREATE TABLE "savedSearch" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  position INTEGER NOT NULL
);
CREATE TABLE remoteLabel (
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  tag TEXT NOT NULL COLLATE NOCASE,
  label TEXT NOT NULL,
  UNIQUE (accountID, tag)
);
CREATE TABLE rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  -- Codes separated by spaces (RuleAction).
  actions TEXT NOT NULL,
  isEnabled INTEGER NOT NULL DEFAULT 0,
  -- 1: of the rules behind it none is judged where it matches.
  stops INTEGER NOT NULL DEFAULT 0,
  -- It ends then; NULL: never.
  until INTEGER,
  position INTEGER NOT NULL,
  -- 1: of the file rules.toml.
  isFile INTEGER NOT NULL DEFAULT 0,
  -- Counted up when the condition or the actions change: it may then act once more.
  revision INTEGER NOT NULL DEFAULT 1,
  -- Why it was disabled by the program: a code.
  problem TEXT,
  createdAt INTEGER NOT NULL
);
CREATE TABLE ruleHit (
  articleID INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
  ruleID INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- The actions that changed something: codes, as in rule.
  did TEXT NOT NULL,
  PRIMARY KEY (articleID, ruleID)
) WITHOUT ROWID;
CREATE TABLE picture (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  -- Host of the feed that named it: only this one may lead into a private network.
  feedHost TEXT,
  -- 0: nobody asks for it; 1: the next screens may need it; 2: it is on screen.
  wanted INTEGER NOT NULL DEFAULT 0,
  askedAt INTEGER NOT NULL,
  -- When an answer was received last.
  fetchedAt INTEGER,
  -- When it was on screen last, by the day.
  usedAt INTEGER NOT NULL DEFAULT 0,
  -- Of the file; NULL: there is none.
  hash INTEGER,
  length INTEGER,
  -- In pixels, as received last.
  width INTEGER,
  height INTEGER,
  etag TEXT,
  lastModified TEXT,
  -- The address that gave the validators.
  validatorsURL TEXT,
  -- The code of a PictureRefusal.
  refusal TEXT,
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE pack (
  id INTEGER PRIMARY KEY,
  query TEXT NOT NULL,
  -- Of reading.
  minutes INTEGER NOT NULL,
  -- Bytes on the wire.
  budget INTEGER NOT NULL,
  dueAt INTEGER,
  startedAt INTEGER NOT NULL,
  endedAt INTEGER,
  -- The code of a Pack.End.
  endReason TEXT,
  -- Bytes on the wire.
  received INTEGER NOT NULL DEFAULT 0,
  -- Milliseconds during which something was fetched.
  activeTime INTEGER NOT NULL DEFAULT 0,
  -- When a row of packItem ended last.
  changedAt INTEGER NOT NULL
);
CREATE TABLE packArticle (
  packID INTEGER NOT NULL REFERENCES pack(id) ON DELETE CASCADE,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  -- In reading order.
  position INTEGER NOT NULL,
  minutes INTEGER NOT NULL, isReserve INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (packID, articleID)
) WITHOUT ROWID;
CREATE TABLE packItem (
  id INTEGER PRIMARY KEY,
  packID INTEGER NOT NULL REFERENCES pack(id) ON DELETE CASCADE,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  -- A Pack.Stage.
  stage INTEGER NOT NULL,
  position INTEGER NOT NULL,
  url TEXT NOT NULL,
  -- 0: waits; 1: done; 2: failed; 3: did not fit into the budget.
  state INTEGER NOT NULL DEFAULT 0,
  -- On the wire.
  bytes INTEGER NOT NULL DEFAULT 0, took INTEGER NOT NULL DEFAULT 0,
  UNIQUE (packID, stage, url)
);
CREATE TABLE articleNote (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  -- As the user calls it; its next answer takes the place of this one.
  program TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Paragraphs without other markup.
  html TEXT NOT NULL,
  UNIQUE (articleID, program)
);
CREATE TABLE listFeed (
  id INTEGER PRIMARY KEY,
  listID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  -- As the list names it.
  url TEXT NOT NULL,
  -- NULL: it was unsubscribed, and is forgotten.
  feedID INTEGER REFERENCES feed(id) ON DELETE SET NULL,
  -- 0: the user had it before the list named it.
  isAdded INTEGER NOT NULL,
  -- Where it was put; NULL: the top level.
  folderID INTEGER,
  UNIQUE (listID, url)
);
CREATE TABLE downloadUsage (
  day INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
);
CREATE TABLE downloadHold (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- A code (DownloadHold.Reason).
  reason TEXT NOT NULL,
  until INTEGER NOT NULL
);
CREATE TABLE playback (
  id INTEGER PRIMARY KEY,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- In seconds.
  position REAL NOT NULL,
  -- Of the whole; NULL: not known.
  duration REAL,
  isFinished INTEGER NOT NULL DEFAULT 0,
  playedAt INTEGER NOT NULL,
  UNIQUE (articleID, url)
);
CREATE TABLE discussion (
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  fetchedAt INTEGER NOT NULL,
  -- Sanitised.
  html TEXT NOT NULL
);
CREATE TABLE snooze (
  articleID INTEGER PRIMARY KEY REFERENCES article ON DELETE CASCADE,
  until INTEGER NOT NULL
);
CREATE TABLE ruleProgram (
  id INTEGER PRIMARY KEY,
  articleID INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
  ruleID INTEGER NOT NULL,
  -- A name of the configuration; NULL: the program for notifications.
  program TEXT,
  askedAt INTEGER NOT NULL,
  -- NULL: it waits.
  failedAt INTEGER,
  -- What the system said; NULL: rules may not run it, or there is none of this name.
  failure TEXT
);
INSERT INTO "grdb_migrations" VALUES ('0001 first light');
INSERT INTO "grdb_migrations" VALUES ('0002 telemetry');
INSERT INTO "grdb_migrations" VALUES ('0004 search');
INSERT INTO "grdb_migrations" VALUES ('0005 full text');
INSERT INTO "grdb_migrations" VALUES ('0006 retention');
INSERT INTO "grdb_migrations" VALUES ('0007 revisions');
INSERT INTO "grdb_migrations" VALUES ('0008 tags');
INSERT INTO "grdb_migrations" VALUES ('0009 accounts');
INSERT INTO "grdb_migrations" VALUES ('0010 downloads');
INSERT INTO "grdb_migrations" VALUES ('0011 changes');
INSERT INTO "grdb_migrations" VALUES ('0012 sending');
INSERT INTO "grdb_migrations" VALUES ('0013 copies');
INSERT INTO "grdb_migrations" VALUES ('0014 renewals');
INSERT INTO "grdb_migrations" VALUES ('0015 reasons');
INSERT INTO "grdb_migrations" VALUES ('0016 host limits');
INSERT INTO "grdb_migrations" VALUES ('0018 one undo');
INSERT INTO "grdb_migrations" VALUES ('0019 labels');
INSERT INTO "grdb_migrations" VALUES ('0020 rules');
INSERT INTO "grdb_migrations" VALUES ('0024 pictures');
INSERT INTO "grdb_migrations" VALUES ('0025 packs');
INSERT INTO "grdb_migrations" VALUES ('0028 feed options');
INSERT INTO "grdb_migrations" VALUES ('0029 notes');
INSERT INTO "grdb_migrations" VALUES ('0031 resuming');
INSERT INTO "grdb_migrations" VALUES ('0040 followed lists');
INSERT INTO "grdb_migrations" VALUES ('0043 download queue');
INSERT INTO "grdb_migrations" VALUES ('0045 journeys');
INSERT INTO "grdb_migrations" VALUES ('0047 rule actions');
INSERT INTO "grdb_migrations" VALUES ('0049 failure details');
INSERT INTO "grdb_migrations" VALUES ('0053 pack reserve');
INSERT INTO "folder" VALUES (1, NULL, 'Systems', 0, 1, 0);
INSERT INTO "folder" VALUES (2, 1, 'Deep', 0, 1, 0);
INSERT INTO "folder" VALUES (3, NULL, 'Srv', 1, 1, 0);
INSERT INTO "folder" VALUES (4, 3, 'G', 0, 1, 0);
INSERT INTO "feed" VALUES (1, 'http://feeds.example/feed/a', 'Feed a', 'A', 'http://feeds.example/', NULL, NULL, NULL, NULL, 1, 0, 0, 0, 1795491993370, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "feed" VALUES (2, 'http://feeds.example/feed/b', 'Feed b', 'Mine', 'http://feeds.example/', NULL, NULL, NULL, NULL, 2, 0, 0, 0, 1795491993370, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "feed" VALUES (3, 'http://feeds.example/feed/c', 'Feed c', 'C', 'http://feeds.example/', NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 1795491993370, NULL, 500, 0, NULL, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "feed" VALUES (4, 'http://feeds.example/feed/r', 'Remote', NULL, NULL, NULL, NULL, NULL, NULL, 4, 0, 0, 0, 1795491994087, NULL, NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "feedFetch" VALUES (1, NULL, NULL, 'http://feeds.example/feed/a', '2bdf26fd9c158d43-acd', 1, 1795491993680, 1795491993680, 1795578629574, 'per-day:0', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 2914, 0.002104);
INSERT INTO "feedFetch" VALUES (2, NULL, NULL, 'http://feeds.example/feed/b', 'f7c2ca8af28a238c-acd', 1, 1795491993692, 1795491993692, 1795578869802, 'per-day:0', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 2914, 0.001814);
INSERT INTO "feedFetch" VALUES (3, NULL, NULL, 'http://feeds.example/feed/c', '96f0117d79cb20fa-acd', 1, 1795491993735, 1795491993735, 1795578647915, 'per-day:0', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 2914, 0.043949);
INSERT INTO "feedFetch" VALUES (4, NULL, NULL, NULL, NULL, 0, NULL, NULL, 1795491994087, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, 0.0);
INSERT INTO "article" VALUES (1, 1, -827585159250435641, 5594010703395192572, 'a story 11', NULL, 'http://feeds.example/a/11', 1795491993680, 0, -1551918516931575392);
INSERT INTO "article" VALUES (2, 1, -6320516903609520551, 3486815312193328249, 'a story 10', NULL, 'http://feeds.example/a/10', 1795491993680, 0, -7695545692364056918);
INSERT INTO "article" VALUES (3, 1, -6030440262919831759, 3695660870341033163, 'a story 9', NULL, 'http://feeds.example/a/9', 1795491993680, 0, -5114091313106733510);
INSERT INTO "article" VALUES (4, 1, 5562656345177838564, 8497579421103639473, 'a story 8', NULL, 'http://feeds.example/a/8', 1795491993680, 1, -2727155112019503170);
INSERT INTO "article" VALUES (5, 1, -647179231046490265, -5448575730590194018, 'a story 7', NULL, 'http://feeds.example/a/7', 1795491993680, 0, -7664114091849735658);
INSERT INTO "article" VALUES (6, 1, 1618462319867533292, -4571165455283366280, 'a story 6', NULL, 'http://feeds.example/a/6', 1795491993680, 0, -1186299317161198634);
INSERT INTO "article" VALUES (7, 1, -425107375533562894, -5395541086605163099, 'a story 5', NULL, 'http://feeds.example/a/5', 1795491993680, 0, 5306454169030647544);
INSERT INTO "article" VALUES (8, 1, -2044690329765638980, 5006881741860283741, 'a story 4', NULL, 'http://feeds.example/a/4', 1795491993680, 1, -4170039937705331596);
INSERT INTO "article" VALUES (9, 1, -670228643428772789, -8702338301193651174, 'a story 3', NULL, 'http://feeds.example/a/3', 1795491993680, 0, 617840887798099492);
INSERT INTO "article" VALUES (10, 1, -2063459222480773701, 6585677203410084150, 'a story 2', NULL, 'http://feeds.example/a/2', 1795491993680, 0, 1798923644697261522);
INSERT INTO "article" VALUES (11, 1, -1205886461962840909, -2750491043301285597, 'a story 1', NULL, 'http://feeds.example/a/1', 1795491993680, 0, 6403259476266761932);
INSERT INTO "article" VALUES (12, 1, -2892703056448999793, -2328195763341903687, 'a story 0', NULL, 'http://feeds.example/a/0', 1795491993680, 1, 5385930714975606618);
INSERT INTO "article" VALUES (13, 2, 1565036669018208123, -3665577812860283491, 'b story 11', NULL, 'http://feeds.example/b/11', 1795491993692, 0, 3299805809366799452);
INSERT INTO "article" VALUES (14, 2, 1357649203920061250, -7457746519355192848, 'b story 10', NULL, 'http://feeds.example/b/10', 1795491993692, 0, -4901622092803398344);
INSERT INTO "article" VALUES (15, 2, -415283285651524153, 5559824195985028141, 'b story 9', NULL, 'http://feeds.example/b/9', 1795491993692, 0, -2099466845197856114);
INSERT INTO "article" VALUES (16, 2, 4790871874354547899, 1460395686804075561, 'b story 8', NULL, 'http://feeds.example/b/8', 1795491993692, 1, 1352867110665793258);
INSERT INTO "article" VALUES (17, 2, -2299497722557773133, -6165724010449717654, 'b story 7', NULL, 'http://feeds.example/b/7', 1795491993692, 0, 272629071972282406);
INSERT INTO "article" VALUES (18, 2, 1728208258371336410, -1884874531535870310, 'b story 6', NULL, 'http://feeds.example/b/6', 1795491993692, 0, 3822122010206000576);
INSERT INTO "article" VALUES (19, 2, 7439059396561395515, -1681950354894060693, 'b story 5', NULL, 'http://feeds.example/b/5', 1795491993692, 0, 7742992830985833156);
INSERT INTO "article" VALUES (20, 2, -4338620107242603622, 8851211502319930788, 'b story 4', NULL, 'http://feeds.example/b/4', 1795491993692, 1, 7811687767013808862);
INSERT INTO "article" VALUES (21, 2, -6055875588695382137, -4205550074586242924, 'b story 3', NULL, 'http://feeds.example/b/3', 1795491993692, 0, 2647639054915345820);
INSERT INTO "article" VALUES (22, 2, 7822857304486890793, -5527563962067338718, 'b story 2', NULL, 'http://feeds.example/b/2', 1795491993692, 0, 6486801545772735136);
INSERT INTO "article" VALUES (23, 2, 8336367651550828144, -955866231379178509, 'b story 1', NULL, 'http://feeds.example/b/1', 1795491993692, 0, -8808247523167420270);
INSERT INTO "article" VALUES (24, 2, -811873398225770711, 5131657408151263311, 'b story 0', NULL, 'http://feeds.example/b/0', 1795491993692, 1, -7474748566914583466);
INSERT INTO "article" VALUES (25, 3, -2350817360053417276, -8567507233960492137, 'c story 11', NULL, 'http://feeds.example/c/11', 1795491993735, 0, 85503989341602848);
INSERT INTO "article" VALUES (26, 3, 8036772692444344136, 5853212700732370388, 'c story 10', NULL, 'http://feeds.example/c/10', 1795491993735, 0, 7103044299819600288);
INSERT INTO "article" VALUES (27, 3, -9189404705753155198, 5911602994392161434, 'c story 9', NULL, 'http://feeds.example/c/9', 1795491993735, 0, -774165332937680836);
INSERT INTO "article" VALUES (28, 3, 2134826207748206686, -3721076276538224865, 'c story 8', NULL, 'http://feeds.example/c/8', 1795491993735, 1, 4916071983827723730);
INSERT INTO "article" VALUES (29, 3, -6109828168400285146, -162615478197072821, 'c story 7', NULL, 'http://feeds.example/c/7', 1795491993735, 0, -6444732978059460452);
INSERT INTO "article" VALUES (30, 3, -676437411467224216, -6796964594061619658, 'c story 6', NULL, 'http://feeds.example/c/6', 1795491993735, 0, 7645395398477881496);
INSERT INTO "article" VALUES (31, 3, 4164386891393210821, -9153146506735244227, 'c story 5', NULL, 'http://feeds.example/c/5', 1795491993735, 0, 6169415271550089370);
INSERT INTO "article" VALUES (32, 3, -3404191092354777265, 2139713124223564726, 'c story 4', NULL, 'http://feeds.example/c/4', 1795491993735, 1, -3119323767945797840);
INSERT INTO "article" VALUES (33, 3, -8743393688790146793, -2492290880327931821, 'c story 3', NULL, 'http://feeds.example/c/3', 1795491993735, 0, 1651154359203534634);
INSERT INTO "article" VALUES (34, 3, -5452716534032087794, -1650847472792292268, 'c story 2', NULL, 'http://feeds.example/c/2', 1795491993735, 0, -1614574813745607352);
INSERT INTO "article" VALUES (35, 3, 8417019380747416437, -5385444444146365860, 'c story 1', NULL, 'http://feeds.example/c/1', 1795491993735, 0, 333837575466383800);
INSERT INTO "article" VALUES (36, 3, -8807006158445125976, 3504784922438898808, 'c story 0', NULL, 'http://feeds.example/c/0', 1795491993735, 1, 2620263930939950384);
INSERT INTO "article" VALUES (37, 4, -5960968499388299164, 5348644493539470390, 'remote 8', NULL, 'http://feeds.example/r/8', 1795491994196, 0, 3761151381964352678);
INSERT INTO "article" VALUES (38, 4, 1750302349509622455, -6298064191904118699, 'remote 7', NULL, 'http://feeds.example/r/7', 1795491994196, 0, 3704177376498332860);
INSERT INTO "article" VALUES (39, 4, 1310192797669293303, 7703423313321957099, 'remote 6', NULL, 'http://feeds.example/r/6', 1795491994196, 0, -6951373838547485476);
INSERT INTO "article" VALUES (40, 4, 7674613650421074157, -5377135055787300273, 'remote 5', NULL, 'http://feeds.example/r/5', 1795491994196, 0, -2675206535268764976);
INSERT INTO "article" VALUES (41, 4, -7982326658807600247, -5421337084988963060, 'remote 4', NULL, 'http://feeds.example/r/4', 1795491994196, 0, 5675804880858391056);
INSERT INTO "article" VALUES (42, 4, 2744517546871237796, -4812061010703241485, 'remote 3', NULL, 'http://feeds.example/r/3', 1795491994196, 0, -2711000665664018846);
INSERT INTO "articleBody" VALUES (1, 'a-11', 'Text of a 11, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790045420000, NULL);
INSERT INTO "articleBody" VALUES (2, 'a-10', 'Text of a 10, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790041820000, NULL);
INSERT INTO "articleBody" VALUES (3, 'a-9', 'Text of a 9, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790038220000, NULL);
INSERT INTO "articleBody" VALUES (4, 'a-8', 'Text of a 8, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790034620000, NULL);
INSERT INTO "articleBody" VALUES (5, 'a-7', 'Text of a 7, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790031020000, NULL);
INSERT INTO "articleBody" VALUES (6, 'a-6', 'Text of a 6, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790027420000, NULL);
INSERT INTO "articleBody" VALUES (7, 'a-5', 'Text of a 5, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790023820000, NULL);
INSERT INTO "articleBody" VALUES (8, 'a-4', 'Text of a 4, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790020220000, NULL);
INSERT INTO "articleBody" VALUES (9, 'a-3', 'Text of a 3, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790016620000, NULL);
INSERT INTO "articleBody" VALUES (10, 'a-2', 'Text of a 2, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790013020000, NULL);
INSERT INTO "articleBody" VALUES (11, 'a-1', 'Text of a 1, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790009420000, NULL);
INSERT INTO "articleBody" VALUES (12, 'a-0', 'Text of a 0, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790005820000, NULL);
INSERT INTO "articleBody" VALUES (13, 'b-11', 'Text of b 11, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790045480000, NULL);
INSERT INTO "articleBody" VALUES (14, 'b-10', 'Text of b 10, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790041880000, NULL);
INSERT INTO "articleBody" VALUES (15, 'b-9', 'Text of b 9, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790038280000, NULL);
INSERT INTO "articleBody" VALUES (16, 'b-8', 'Text of b 8, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790034680000, NULL);
INSERT INTO "articleBody" VALUES (17, 'b-7', 'Text of b 7, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790031080000, NULL);
INSERT INTO "articleBody" VALUES (18, 'b-6', 'Text of b 6, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790027480000, NULL);
INSERT INTO "articleBody" VALUES (19, 'b-5', 'Text of b 5, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790023880000, NULL);
INSERT INTO "articleBody" VALUES (20, 'b-4', 'Text of b 4, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790020280000, NULL);
INSERT INTO "articleBody" VALUES (21, 'b-3', 'Text of b 3, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790016680000, NULL);
INSERT INTO "articleBody" VALUES (22, 'b-2', 'Text of b 2, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790013080000, NULL);
INSERT INTO "articleBody" VALUES (23, 'b-1', 'Text of b 1, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790009480000, NULL);
INSERT INTO "articleBody" VALUES (24, 'b-0', 'Text of b 0, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790005880000, NULL);
INSERT INTO "articleBody" VALUES (25, 'c-11', 'Text of c 11, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790045540000, NULL);
INSERT INTO "articleBody" VALUES (26, 'c-10', 'Text of c 10, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790041940000, NULL);
INSERT INTO "articleBody" VALUES (27, 'c-9', 'Text of c 9, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790038340000, NULL);
INSERT INTO "articleBody" VALUES (28, 'c-8', 'Text of c 8, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790034740000, NULL);
INSERT INTO "articleBody" VALUES (29, 'c-7', 'Text of c 7, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790031140000, NULL);
INSERT INTO "articleBody" VALUES (30, 'c-6', 'Text of c 6, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790027540000, NULL);
INSERT INTO "articleBody" VALUES (31, 'c-5', 'Text of c 5, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790023940000, NULL);
INSERT INTO "articleBody" VALUES (32, 'c-4', 'Text of c 4, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790020340000, NULL);
INSERT INTO "articleBody" VALUES (33, 'c-3', 'Text of c 3, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790016740000, NULL);
INSERT INTO "articleBody" VALUES (34, 'c-2', 'Text of c 2, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790013140000, NULL);
INSERT INTO "articleBody" VALUES (35, 'c-1', 'Text of c 1, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790009540000, NULL);
INSERT INTO "articleBody" VALUES (36, 'c-0', 'Text of c 0, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790005940000, NULL);
INSERT INTO "articleBody" VALUES (37, '8', '<p>r 8</p>', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790000008000, NULL);
INSERT INTO "articleBody" VALUES (38, '7', '<p>r 7</p>', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790000007000, NULL);
INSERT INTO "articleBody" VALUES (39, '6', '<p>r 6</p>', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790000006000, NULL);
INSERT INTO "articleBody" VALUES (40, '5', '<p>r 5</p>', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790000005000, NULL);
INSERT INTO "articleBody" VALUES (41, '4', '<p>r 4</p>', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790000004000, NULL);
INSERT INTO "articleBody" VALUES (42, '3', '<p>r 3</p>', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790000003000, NULL);
INSERT INTO "enclosure" VALUES (4, 0, 'http://feeds.example/f/a8.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (8, 0, 'http://feeds.example/f/a4.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (12, 0, 'http://feeds.example/f/a0.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (16, 0, 'http://feeds.example/f/b8.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (20, 0, 'http://feeds.example/f/b4.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (24, 0, 'http://feeds.example/f/b0.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (28, 0, 'http://feeds.example/f/c8.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (32, 0, 'http://feeds.example/f/c4.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (36, 0, 'http://feeds.example/f/c0.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "articleStatus" VALUES (1, 1, 1790045420000, 1, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (2, 1, 1790041820000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (3, 1, 1790038220000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (4, 1, 1790034620000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (5, 1, 1790031020000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (6, 1, 1790027420000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (7, 1, 1790023820000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (8, 1, 1790020220000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (9, 1, 1790016620000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (10, 1, 1790013020000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (11, 1, 1790009420000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (12, 1, 1790005820000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (13, 2, 1790045480000, 1, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (14, 2, 1790041880000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (15, 2, 1790038280000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (16, 2, 1790034680000, 1, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (17, 2, 1790031080000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (18, 2, 1790027480000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (19, 2, 1790023880000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (20, 2, 1790020280000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (21, 2, 1790016680000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (22, 2, 1790013080000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (23, 2, 1790009480000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (24, 2, 1790005880000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (25, 3, 1790045540000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (26, 3, 1790041940000, 1, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (27, 3, 1790038340000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (28, 3, 1790034740000, 1, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (29, 3, 1790031140000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (30, 3, 1790027540000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (31, 3, 1790023940000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (32, 3, 1790020340000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (33, 3, 1790016740000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (34, 3, 1790013140000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (35, 3, 1790009540000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (36, 3, 1790005940000, 0, 1, 0, NULL, 5, 0, NULL);
INSERT INTO "articleStatus" VALUES (37, 4, 1790000008000, 0, 0, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (38, 4, 1790000007000, 0, 0, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (39, 4, 1790000006000, 1, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (40, 4, 1790000005000, 0, 0, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (41, 4, 1790000004000, 0, 0, 0, NULL, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (42, 4, 1790000003000, 0, 1, 0, NULL, 0, 0, NULL);
INSERT INTO "feedCounter" VALUES (1, 12, 11, 12);
INSERT INTO "feedCounter" VALUES (2, 12, 10, 12);
INSERT INTO "feedCounter" VALUES (3, 12, 10, 12);
INSERT INTO "feedCounter" VALUES (4, 6, 5, 2);
INSERT INTO "totalCounter" VALUES (1, 42, 36, 38);
INSERT INTO "refreshRequest" VALUES (1, 'feeds:1,2,3', 1795491993651, 3, 3, 0, 36, 8742, 1795491993735, 0);
INSERT INTO "refreshRequestFeed" VALUES (1, 1, 1);
INSERT INTO "refreshRequestFeed" VALUES (1, 2, 1);
INSERT INTO "refreshRequestFeed" VALUES (1, 3, 1);
INSERT INTO "syncStatus" VALUES (1, '{"bytes":8742,"done":3,"endedAt":817184793.754886,"failed":0,"grade":"good","inFlight":0,"isRunning":false,"newArticles":36,"rate":0,"startedAt":817184793.6687751,"total":3,"width":12}');
INSERT INTO "journal" VALUES (1, 'star', 3, NULL, 1795491994671, 0, X'030b0b', NULL);
INSERT INTO "journal" VALUES (2, 'markRead', 5, NULL, 1795491994742, 0, X'010c030a02', NULL);
INSERT INTO "journal" VALUES (3, 'star', 1, 'remote 6', 1795491995079, 0, X'27', NULL);
INSERT INTO "journal" VALUES (4, 'markRead', 1, 'remote 6', 1795491995165, 0, X'27', NULL);
INSERT INTO "journal" VALUES (5, 'addRule', 36, 'stories', 1795491995519, 0, NULL, '{"rows":[{"id":1,"table":"rule","after":["stories","title:story","tag:ruled","1","0",null,"0","0","1",null,"1795491995519"]}],"changes":{"stories":[],"scores":[],"starred":[],"snoozed":[],"hidden":[],"hits":[{"article":25,"rule":1,"did":"tag:ruled","revision":1},{"article":13,"rule":1,"did":"tag:ruled","revision":1},{"article":1,"rule":1,"did":"tag:ruled","revision":1},{"article":26,"rule":1,"did":"tag:ruled","revision":1},{"article":14,"rule":1,"did":"tag:ruled","revision":1},{"article":2,"rule":1,"did":"tag:ruled","revision":1},{"article":27,"rule":1,"did":"tag:ruled","revision":1},{"article":15,"rule":1,"did":"tag:ruled","revision":1},{"article":3,"rule":1,"did":"tag:ruled","revision":1},{"article":28,"rule":1,"did":"tag:ruled","revision":1},{"article":16,"rule":1,"did":"tag:ruled","revision":1},{"article":4,"rule":1,"did":"tag:ruled","revision":1},{"article":29,"rule":1,"did":"tag:ruled","revision":1},{"article":17,"rule":1,"did":"tag:ruled","revision":1},{"article":5,"rule":1,"did":"tag:ruled","revision":1},{"article":30,"rule":1,"did":"tag:ruled","revision":1},{"article":18,"rule":1,"did":"tag:ruled","revision":1},{"article":6,"rule":1,"did":"tag:ruled","revision":1},{"article":31,"rule":1,"did":"tag:ruled","revision":1},{"article":19,"rule":1,"did":"tag:ruled","revision":1},{"article":7,"rule":1,"did":"tag:ruled","revision":1},{"article":32,"rule":1,"did":"tag:ruled","revision":1},{"article":20,"rule":1,"did":"tag:ruled","revision":1},{"article":8,"rule":1,"did":"tag:ruled","revision":1},{"article":33,"rule":1,"did":"tag:ruled","revision":1},{"article":21,"rule":1,"did":"tag:ruled","revision":1},{"article":9,"rule":1,"did":"tag:ruled","revision":1},{"article":34,"rule":1,"did":"tag:ruled","revision":1},{"article":22,"rule":1,"did":"tag:ruled","revision":1},{"article":10,"rule":1,"did":"tag:ruled","revision":1},{"article":35,"rule":1,"did":"tag:ruled","revision":1},{"article":23,"rule":1,"did":"tag:ruled","revision":1},{"article":11,"rule":1,"did":"tag:ruled","revision":1},{"article":36,"rule":1,"did":"tag:ruled","revision":1},{"article":24,"rule":1,"did":"tag:ruled","revision":1},{"article":12,"rule":1,"did":"tag:ruled","revision":1}],"unsent":{"starred":[],"read":[],"tags":[]},"tags":[{"table":"articleTag","id":25,"after":["ruled"]},{"table":"articleTag","id":13,"after":["ruled"]},{"table":"articleTag","id":1,"after":["ruled"]},{"table":"articleTag","id":26,"after":["ruled"]},{"table":"articleTag","id":14,"after":["ruled"]},{"table":"articleTag","id":2,"after":["ruled"]},{"table":"articleTag","id":27,"after":["ruled"]},{"table":"articleTag","id":15,"after":["ruled"]},{"table":"articleTag","id":3,"after":["ruled"]},{"table":"articleTag","id":28,"after":["ruled"]},{"table":"articleTag","id":16,"after":["ruled"]},{"table":"articleTag","id":4,"after":["ruled"]},{"table":"articleTag","id":29,"after":["ruled"]},{"table":"articleTag","id":17,"after":["ruled"]},{"table":"articleTag","id":5,"after":["ruled"]},{"table":"articleTag","id":30,"after":["ruled"]},{"table":"articleTag","id":18,"after":["ruled"]},{"table":"articleTag","id":6,"after":["ruled"]},{"table":"articleTag","id":31,"after":["ruled"]},{"table":"articleTag","id":19,"after":["ruled"]},{"table":"articleTag","id":7,"after":["ruled"]},{"table":"articleTag","id":32,"after":["ruled"]},{"table":"articleTag","id":20,"after":["ruled"]},{"table":"articleTag","id":8,"after":["ruled"]},{"table":"articleTag","id":33,"after":["ruled"]},{"table":"articleTag","id":21,"after":["ruled"]},{"table":"articleTag","id":9,"after":["ruled"]},{"table":"articleTag","id":34,"after":["ruled"]},{"table":"articleTag","id":22,"after":["ruled"]},{"table":"articleTag","id":10,"after":["ruled"]},{"table":"articleTag","id":35,"after":["ruled"]},{"table":"articleTag","id":23,"after":["ruled"]},{"table":"articleTag","id":11,"after":["ruled"]},{"table":"articleTag","id":36,"after":["ruled"]},{"table":"articleTag","id":24,"after":["ruled"]},{"table":"articleTag","id":12,"after":["ruled"]}],"read":[],"highlights":[]}}');
INSERT INTO "journal" VALUES (6, 'addRule', 33, 'sqlite', 1795491995688, 0, NULL, '{"rows":[{"table":"rule","id":2,"after":["sqlite","sqlite","star","1","0",null,"1","0","1",null,"1795491995688"]}],"changes":{"snoozed":[],"starred":[1,2,4,5,6,7,8,9,10,11,12,13,15,16,17,18,19,20,21,22,23,24,26,27,28,29,30,31,32,33,34,35,36],"stories":[],"hidden":[],"unsent":{"starred":[],"read":[],"tags":[]},"scores":[],"tags":[],"read":[],"highlights":[],"hits":[{"rule":2,"revision":1,"did":"star","article":25},{"rule":2,"revision":1,"did":"star","article":13},{"rule":2,"revision":1,"did":"star","article":1},{"rule":2,"revision":1,"did":"star","article":26},{"rule":2,"revision":1,"did":"star","article":14},{"rule":2,"revision":1,"did":"star","article":2},{"rule":2,"revision":1,"did":"star","article":27},{"rule":2,"revision":1,"did":"star","article":15},{"rule":2,"revision":1,"did":"star","article":3},{"rule":2,"revision":1,"did":"star","article":28},{"rule":2,"revision":1,"did":"star","article":16},{"rule":2,"revision":1,"did":"star","article":4},{"rule":2,"revision":1,"did":"star","article":29},{"rule":2,"revision":1,"did":"star","article":17},{"rule":2,"revision":1,"did":"star","article":5},{"rule":2,"revision":1,"did":"star","article":30},{"rule":2,"revision":1,"did":"star","article":18},{"rule":2,"revision":1,"did":"star","article":6},{"rule":2,"revision":1,"did":"star","article":31},{"rule":2,"revision":1,"did":"star","article":19},{"rule":2,"revision":1,"did":"star","article":7},{"rule":2,"revision":1,"did":"star","article":32},{"rule":2,"revision":1,"did":"star","article":20},{"rule":2,"revision":1,"did":"star","article":8},{"rule":2,"revision":1,"did":"star","article":33},{"rule":2,"revision":1,"did":"star","article":21},{"rule":2,"revision":1,"did":"star","article":9},{"rule":2,"revision":1,"did":"star","article":34},{"rule":2,"revision":1,"did":"star","article":22},{"rule":2,"revision":1,"did":"star","article":10},{"rule":2,"revision":1,"did":"star","article":35},{"rule":2,"revision":1,"did":"star","article":23},{"rule":2,"revision":1,"did":"star","article":11},{"rule":2,"revision":1,"did":"star","article":36},{"rule":2,"revision":1,"did":"star","article":24},{"rule":2,"revision":1,"did":"star","article":12}]}}');
INSERT INTO "journal" VALUES (7, 'tag', 1, 'b story 10', 1795492001052, 0, NULL, '[{"after":["alpha"],"id":14,"table":"articleTag"},{"after":["beta"],"id":14,"table":"articleTag"}]');
INSERT INTO "journal" VALUES (8, 'tag', 1, 'a story 10', 1795492003320, 0, NULL, '[{"after":["gamma"],"id":2,"table":"articleTag"}]');
INSERT INTO "journal" VALUES (9, 'saveSearch', 1, 'Databases', 1795492015707, 0, NULL, '[{"table":"savedSearch","after":["Databases","sqlite","0"],"id":1}]');
INSERT INTO "changeVersion" VALUES (0, 9);
INSERT INTO "changeVersion" VALUES (1, 7);
INSERT INTO "changeVersion" VALUES (2, 5);
INSERT INTO "changeVersion" VALUES (3, 10);
INSERT INTO "changeVersion" VALUES (4, 11);
INSERT INTO "changeVersion" VALUES (5, 6);
INSERT INTO "changeVersion" VALUES (6, 2);
INSERT INTO "changeVersion" VALUES (7, 1);
INSERT INTO "changeVersion" VALUES (8, 9);
INSERT INTO "changeVersion" VALUES (9, 0);
INSERT INTO "changeVersion" VALUES (10, 0);
INSERT INTO "changeVersion" VALUES (11, 12);
INSERT INTO "changeVersion" VALUES (12, 2);
INSERT INTO "changeVersion" VALUES (13, 0);
INSERT INTO "searchState" VALUES (1, 42);
INSERT INTO "upkeep" VALUES ('journal', 1795491993756, 0);
INSERT INTO "upkeep" VALUES ('removedFeeds', 1795491993756, 0);
INSERT INTO "upkeep" VALUES ('deletedArticles', 1795491993757, 0);
INSERT INTO "upkeep" VALUES ('retention', 0, 0);
INSERT INTO "upkeep" VALUES ('dates', 1795491993758, 0);
INSERT INTO "upkeep" VALUES ('copies', 1795491993758, 0);
INSERT INTO "upkeep" VALUES ('statistics', 1795491993758, 0);
INSERT INTO "upkeep" VALUES ('freePages', 1795491993760, 0);
INSERT INTO "upkeep" VALUES ('log', 1795491993761, 0);
INSERT INTO "articleTag" VALUES (25, 'ruled', 0);
INSERT INTO "articleTag" VALUES (13, 'ruled', 0);
INSERT INTO "articleTag" VALUES (1, 'ruled', 0);
INSERT INTO "articleTag" VALUES (26, 'ruled', 0);
INSERT INTO "articleTag" VALUES (14, 'ruled', 0);
INSERT INTO "articleTag" VALUES (2, 'ruled', 0);
INSERT INTO "articleTag" VALUES (27, 'ruled', 0);
INSERT INTO "articleTag" VALUES (15, 'ruled', 0);
INSERT INTO "articleTag" VALUES (3, 'ruled', 0);
INSERT INTO "articleTag" VALUES (28, 'ruled', 0);
INSERT INTO "articleTag" VALUES (16, 'ruled', 0);
INSERT INTO "articleTag" VALUES (4, 'ruled', 0);
INSERT INTO "articleTag" VALUES (29, 'ruled', 0);
INSERT INTO "articleTag" VALUES (17, 'ruled', 0);
INSERT INTO "articleTag" VALUES (5, 'ruled', 0);
INSERT INTO "articleTag" VALUES (30, 'ruled', 0);
INSERT INTO "articleTag" VALUES (18, 'ruled', 0);
INSERT INTO "articleTag" VALUES (6, 'ruled', 0);
INSERT INTO "articleTag" VALUES (31, 'ruled', 0);
INSERT INTO "articleTag" VALUES (19, 'ruled', 0);
INSERT INTO "articleTag" VALUES (7, 'ruled', 0);
INSERT INTO "articleTag" VALUES (32, 'ruled', 0);
INSERT INTO "articleTag" VALUES (20, 'ruled', 0);
INSERT INTO "articleTag" VALUES (8, 'ruled', 0);
INSERT INTO "articleTag" VALUES (33, 'ruled', 0);
INSERT INTO "articleTag" VALUES (21, 'ruled', 0);
INSERT INTO "articleTag" VALUES (9, 'ruled', 0);
INSERT INTO "articleTag" VALUES (34, 'ruled', 0);
INSERT INTO "articleTag" VALUES (22, 'ruled', 0);
INSERT INTO "articleTag" VALUES (10, 'ruled', 0);
INSERT INTO "articleTag" VALUES (35, 'ruled', 0);
INSERT INTO "articleTag" VALUES (23, 'ruled', 0);
INSERT INTO "articleTag" VALUES (11, 'ruled', 0);
INSERT INTO "articleTag" VALUES (36, 'ruled', 0);
INSERT INTO "articleTag" VALUES (24, 'ruled', 0);
INSERT INTO "articleTag" VALUES (12, 'ruled', 0);
INSERT INTO "articleTag" VALUES (14, 'alpha', 0);
INSERT INTO "articleTag" VALUES (14, 'beta', 0);
INSERT INTO "articleTag" VALUES (2, 'gamma', 0);
INSERT INTO "account" VALUES (1, 'fever', 'http://feeds.example/fever', 'ann', 'Srv', '["echo","pw"]', 3, 1795491993850, NULL, 1795491993936, 1795492027275, NULL, 'busy', 503, NULL, 1795491997209, 2, 1795492027275, 0);
INSERT INTO "remoteFeed" VALUES (4, 1, '7', 'Remote', 'G', 0, 0);
INSERT INTO "remoteArticle" VALUES (37, 1, '8');
INSERT INTO "remoteArticle" VALUES (38, 1, '7');
INSERT INTO "remoteArticle" VALUES (39, 1, '6');
INSERT INTO "remoteArticle" VALUES (40, 1, '5');
INSERT INTO "remoteArticle" VALUES (41, 1, '4');
INSERT INTO "remoteArticle" VALUES (42, 1, '3');
INSERT INTO "outbox" VALUES (1, 1, '6', 'starred', '1', 1795491995079, 1, 1795492027275, 0, NULL, 0, '503', NULL, 0);
INSERT INTO "outbox" VALUES (2, 1, '6', 'read', '1', 1795491995165, 1, 1795492027275, 0, NULL, 0, '503', NULL, 0);
INSERT INTO "download" VALUES (1, 4, 'http://feeds.example/f/a8.mp3', 1795492006127, 0, 500, 500, '/home/ann/dl/a8.mp3', NULL, NULL, NULL, NULL, 0, NULL, 0, 1, 0, 1795492006223, NULL);
INSERT INTO "hostLimit" VALUES ('127.0.0.1', 1, 'refused', 1795578407274);
INSERT INTO "savedSearch" VALUES (1, 'Databases', 'sqlite', 0);
INSERT INTO "rule" VALUES (1, 'stories', 'title:story', 'tag:ruled', 1, 0, NULL, 0, 0, 1, NULL, 1795491995519);
INSERT INTO "rule" VALUES (2, 'sqlite', 'sqlite', 'star', 1, 0, NULL, 1, 0, 1, NULL, 1795491995688);
INSERT INTO "ruleHit" VALUES (1, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (1, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (2, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (2, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (3, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (3, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (4, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (4, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (5, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (5, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (6, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (6, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (7, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (7, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (8, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (8, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (9, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (9, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (10, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (10, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (11, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (11, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (12, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (12, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (13, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (13, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (14, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (14, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (15, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (15, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (16, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (16, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (17, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (17, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (18, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (18, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (19, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (19, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (20, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (20, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (21, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (21, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (22, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (22, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (23, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (23, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (24, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (24, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (25, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (25, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (26, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (26, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (27, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (27, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (28, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (28, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (29, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (29, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (30, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (30, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (31, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (31, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (32, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (32, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (33, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (33, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (34, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (34, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (35, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (35, 2, 1, 1795491995688, 'star');
INSERT INTO "ruleHit" VALUES (36, 1, 1, 1795491995519, 'tag:ruled');
INSERT INTO "ruleHit" VALUES (36, 2, 1, 1795491995688, 'star');
INSERT INTO "articleNote" VALUES (1, 3, 'say', 1795492009925, '<p>A note of a program</p>');
INSERT INTO "downloadUsage" VALUES (20781, 500);
CREATE UNIQUE INDEX folder_path ON folder(ifnull(parentID, 0), title);
CREATE INDEX feed_folder ON feed(folderID);
CREATE INDEX feedFetch_due ON feedFetch(nextCheckAt) WHERE nextCheckAt IS NOT NULL;
CREATE INDEX feedFetch_phase ON feedFetch(phaseOwner) WHERE phaseOwner IS NOT NULL;
CREATE UNIQUE INDEX article_identity ON article(feedID, identity);
CREATE INDEX list_all_feed ON articleStatus(feedID, sortDate) WHERE isHidden = 0;
CREATE INDEX list_unread_feed ON articleStatus(feedID, sortDate)
  WHERE isHidden = 0 AND isRead = 0;
CREATE INDEX list_starred_feed ON articleStatus(feedID, sortDate)
  WHERE isHidden = 0 AND isStarred = 1;
CREATE TRIGGER feed_added AFTER INSERT ON feed BEGIN
  INSERT INTO feedFetch (feedID, nextCheckAt)
    VALUES (NEW.id, CASE WHEN NEW.isLocal = 0 THEN NEW.addedAt END);
  INSERT INTO feedCounter (feedID) VALUES (NEW.id);
END;
CREATE UNIQUE INDEX refreshRequest_open ON refreshRequest(scope) WHERE finishedAt IS NULL;
CREATE INDEX refreshRequest_finished ON refreshRequest(finishedAt)
  WHERE finishedAt IS NOT NULL;
CREATE INDEX refreshRequestFeed_feed ON refreshRequestFeed(feedID, isDone);
CREATE INDEX journalFeed_feed ON journalFeed(feedID);
CREATE TRIGGER article_search_changed BEFORE UPDATE OF title, author ON article
WHEN OLD.title IS NOT NEW.title OR OLD.author IS NOT NEW.author BEGIN
  INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.id AND OLD.id <= (SELECT doneTo FROM searchState);
END;
CREATE TRIGGER body_search_changed BEFORE UPDATE OF html, summary, tags ON articleBody
WHEN OLD.html IS NOT NEW.html OR OLD.summary IS NOT NEW.summary OR OLD.tags IS NOT NEW.tags
BEGIN
  INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState);
END;
CREATE TRIGGER article_search_removed BEFORE DELETE ON article BEGIN
  INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.id AND OLD.id <= (SELECT doneTo FROM searchState);
END;
CREATE INDEX fullText_waiting ON fullText(articleID) WHERE isWaiting = 1;
CREATE TRIGGER fullText_search_changed BEFORE UPDATE OF html ON fullText
WHEN OLD.html IS NOT NEW.html BEGIN
  INSERT OR IGNORE INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState);
END;
CREATE INDEX tombstone_at ON tombstone(at);
CREATE INDEX articleRevision_article ON articleRevision(articleID);
CREATE INDEX article_link ON article(link);
CREATE INDEX status_copies ON articleStatus(copyOf) WHERE copyOf IS NOT NULL;
CREATE INDEX list_copies ON articleStatus(sortDate) WHERE isHidden = 0 AND copyOf IS NOT NULL;
CREATE INDEX list_all ON articleStatus(sortDate) WHERE isHidden = 0 AND copyOf IS NULL;
CREATE INDEX list_unread ON articleStatus(sortDate)
  WHERE isHidden = 0 AND copyOf IS NULL AND isRead = 0;
CREATE INDEX list_starred ON articleStatus(sortDate)
  WHERE isHidden = 0 AND copyOf IS NULL AND isStarred = 1;
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
CREATE TRIGGER copy_returns AFTER UPDATE OF isHidden ON articleStatus
WHEN OLD.isHidden <> 0 AND NEW.isHidden = 0 AND NEW.copyOf IS NOT NULL
  AND (SELECT isHidden FROM articleStatus WHERE articleID = NEW.copyOf) <> 0
BEGIN
  UPDATE articleStatus SET copyOf = nullif(NEW.articleID, articleID)
    WHERE copyOf = NEW.copyOf OR articleID IN (NEW.copyOf, NEW.articleID);
END;
CREATE INDEX articleTag_tag ON articleTag(tag, articleID);
CREATE UNIQUE INDEX account_address ON account(kind, url, user);
CREATE UNIQUE INDEX feed_url ON feed(url, ifnull(accountID, 0)) WHERE removedAt IS NULL;
CREATE UNIQUE INDEX remoteFeed_name ON remoteFeed(accountID, remoteID);
CREATE UNIQUE INDEX remoteArticle_name ON remoteArticle(accountID, remoteID);
CREATE INDEX download_waiting ON download(id) WHERE isWaiting = 1;
CREATE INDEX rule_order ON rule (isFile DESC, position, id);
CREATE INDEX ruleHit_rule ON ruleHit (ruleID, at);
CREATE INDEX list_ruled ON articleStatus (feedID, sortDate) WHERE isHidden & 4 <> 0;
CREATE INDEX picture_wanted ON picture(wanted, askedAt) WHERE wanted > 0;
CREATE INDEX picture_used ON picture(usedAt, length) WHERE hash IS NOT NULL;
CREATE UNIQUE INDEX pack_open ON pack(endedAt IS NULL) WHERE endedAt IS NULL;
CREATE INDEX packArticle_article ON packArticle(articleID);
CREATE INDEX packItem_waiting ON packItem(packID, stage, position) WHERE state = 0;
CREATE INDEX packItem_article ON packItem(articleID);
CREATE INDEX packItem_url ON packItem(url) WHERE stage = 1;
CREATE VIEW searchDocument AS
  SELECT a.id AS articleID, a.title AS title, a.author AS author, b.tags AS tags,
    ifnull(coalesce(t.html, CASE b.html WHEN '' THEN b.summary ELSE b.html END), '')
      || ifnull((SELECT group_concat(n.html, '') FROM
        (SELECT html FROM articleNote WHERE articleID = a.id ORDER BY program) n), '') AS html
  FROM article a JOIN articleBody b ON b.articleID = a.id
    LEFT JOIN fullText t ON t.articleID = a.id;
CREATE TRIGGER note_search_added BEFORE INSERT ON articleNote BEGIN
  INSERT INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = NEW.articleID AND NEW.articleID <= (SELECT doneTo FROM searchState)
      AND NOT EXISTS (SELECT 1 FROM searchStale WHERE articleID = NEW.articleID);
END;
CREATE TRIGGER note_search_changed BEFORE UPDATE OF html ON articleNote BEGIN
  INSERT INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState)
      AND NOT EXISTS (SELECT 1 FROM searchStale WHERE articleID = OLD.articleID);
END;
CREATE TRIGGER note_search_removed BEFORE DELETE ON articleNote BEGIN
  INSERT INTO searchStale (articleID, title, author, tags, html)
    SELECT articleID, title, author, tags, html FROM searchDocument
    WHERE articleID = OLD.articleID AND OLD.articleID <= (SELECT doneTo FROM searchState)
      AND NOT EXISTS (SELECT 1 FROM searchStale WHERE articleID = OLD.articleID);
END;
CREATE INDEX listFeed_feed ON listFeed(feedID);
CREATE INDEX download_pack ON download(packID) WHERE packID IS NOT NULL;
CREATE INDEX snooze_until ON snooze (until);
CREATE INDEX ruleProgram_waiting ON ruleProgram (id) WHERE failedAt IS NULL;
CREATE INDEX ruleProgram_article ON ruleProgram (articleID);
CREATE INDEX ruleProgram_rule ON ruleProgram (ruleID, failedAt);
PRAGMA application_id = 0x57454952;
