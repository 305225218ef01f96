CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE folder (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parentID INTEGER REFERENCES folder(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  position INTEGER NOT NULL,
  isExpanded INTEGER NOT NULL DEFAULT 1
);
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
, fetchesFullText INTEGER NOT NULL DEFAULT 0, keepArticles INTEGER, keepDays INTEGER, accountID INTEGER);
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
, copyOf INTEGER);
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
, searchID INTEGER, otherName TEXT, changes TEXT);
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
);
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
CREATE TABLE savedSearch (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  position INTEGER NOT NULL,
  -- Deleted, and kept as long as that can be undone.
  removedAt INTEGER
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
  tag TEXT NOT NULL COLLATE NOCASE,
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
);
CREATE TABLE remoteFeed (
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  remoteID TEXT,
  title TEXT NOT NULL DEFAULT '',
  folder TEXT NOT NULL DEFAULT ''
);
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
  isRepeat INTEGER NOT NULL DEFAULT 0,
  detail TEXT,
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
  failureCount INTEGER NOT NULL DEFAULT 0,
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
INSERT INTO "folder" VALUES (1, NULL, 'Systems', 0, 1);
INSERT INTO "folder" VALUES (2, 1, 'Deep', 0, 1);
INSERT INTO "folder" VALUES (3, NULL, 'Srv', 1, 1);
INSERT INTO "folder" VALUES (4, 3, 'G', 0, 1);
INSERT INTO "feed" VALUES (1, 'http://feeds.example/feed/a', 'Feed a', 'A', 'http://feeds.example/', NULL, NULL, NULL, NULL, 1, 0, 0, 0, 1795491970716, NULL, 0, NULL, NULL, NULL);
INSERT INTO "feed" VALUES (2, 'http://feeds.example/feed/b', 'Feed b', 'Mine', 'http://feeds.example/', NULL, NULL, NULL, NULL, 2, 0, 0, 0, 1795491970716, NULL, 0, NULL, NULL, NULL);
INSERT INTO "feed" VALUES (3, 'http://feeds.example/feed/c', 'Feed c', 'C', 'http://feeds.example/', NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 1795491970716, NULL, 0, 500, 0, NULL);
INSERT INTO "feed" VALUES (4, 'http://feeds.example/feed/r', 'Remote', NULL, NULL, NULL, NULL, NULL, NULL, 4, 0, 0, 0, 1795491971433, NULL, 0, NULL, NULL, 1);
INSERT INTO "feedFetch" VALUES (1, NULL, NULL, 'http://feeds.example/feed/a', '242f99cc6754ce787dc691360a47d965', 1, 1795491970845, 1795491970845, 1795578684656, 'nothing new for weeks', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 2914, 0.001781);
INSERT INTO "feedFetch" VALUES (2, NULL, NULL, 'http://feeds.example/feed/b', 'e3926c658bb1a1b5df84e36334e40b45', 1, 1795491970845, 1795491970845, 1795578431622, 'nothing new for weeks', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 2914, 0.002132);
INSERT INTO "feedFetch" VALUES (3, NULL, NULL, 'http://feeds.example/feed/c', '5694c252b0d833c3eee4689b2607f8a1', 1, 1795491970887, 1795491970887, 1795578871474, 'nothing new for weeks', NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 2914, 0.041773);
INSERT INTO "feedFetch" VALUES (4, NULL, NULL, NULL, NULL, 0, NULL, NULL, 1795491971433, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, 0.0);
INSERT INTO "article" VALUES (1, 2, 1565036669018208123, -3665577812860283491, 'b story 11', NULL, 'http://feeds.example/b/11', 1795491970845, 0, 3299805809366799452);
INSERT INTO "article" VALUES (2, 2, 1357649203920061250, -7457746519355192848, 'b story 10', NULL, 'http://feeds.example/b/10', 1795491970845, 0, -4901622092803398344);
INSERT INTO "article" VALUES (3, 2, -415283285651524153, 5559824195985028141, 'b story 9', NULL, 'http://feeds.example/b/9', 1795491970845, 0, -2099466845197856114);
INSERT INTO "article" VALUES (4, 2, 4790871874354547899, 1460395686804075561, 'b story 8', NULL, 'http://feeds.example/b/8', 1795491970845, 1, 1352867110665793258);
INSERT INTO "article" VALUES (5, 2, -2299497722557773133, -6165724010449717654, 'b story 7', NULL, 'http://feeds.example/b/7', 1795491970845, 0, 272629071972282406);
INSERT INTO "article" VALUES (6, 2, 1728208258371336410, -1884874531535870310, 'b story 6', NULL, 'http://feeds.example/b/6', 1795491970845, 0, 3822122010206000576);
INSERT INTO "article" VALUES (7, 2, 7439059396561395515, -1681950354894060693, 'b story 5', NULL, 'http://feeds.example/b/5', 1795491970845, 0, 7742992830985833156);
INSERT INTO "article" VALUES (8, 2, -4338620107242603622, 8851211502319930788, 'b story 4', NULL, 'http://feeds.example/b/4', 1795491970845, 1, 7811687767013808862);
INSERT INTO "article" VALUES (9, 2, -6055875588695382137, -4205550074586242924, 'b story 3', NULL, 'http://feeds.example/b/3', 1795491970845, 0, 2647639054915345820);
INSERT INTO "article" VALUES (10, 2, 7822857304486890793, -5527563962067338718, 'b story 2', NULL, 'http://feeds.example/b/2', 1795491970845, 0, 6486801545772735136);
INSERT INTO "article" VALUES (11, 2, 8336367651550828144, -955866231379178509, 'b story 1', NULL, 'http://feeds.example/b/1', 1795491970845, 0, -8808247523167420270);
INSERT INTO "article" VALUES (12, 2, -811873398225770711, 5131657408151263311, 'b story 0', NULL, 'http://feeds.example/b/0', 1795491970845, 1, -7474748566914583466);
INSERT INTO "article" VALUES (13, 1, -827585159250435641, 5594010703395192572, 'a story 11', NULL, 'http://feeds.example/a/11', 1795491970845, 0, -1551918516931575392);
INSERT INTO "article" VALUES (14, 1, -6320516903609520551, 3486815312193328249, 'a story 10', NULL, 'http://feeds.example/a/10', 1795491970845, 0, -7695545692364056918);
INSERT INTO "article" VALUES (15, 1, -6030440262919831759, 3695660870341033163, 'a story 9', NULL, 'http://feeds.example/a/9', 1795491970845, 0, -5114091313106733510);
INSERT INTO "article" VALUES (16, 1, 5562656345177838564, 8497579421103639473, 'a story 8', NULL, 'http://feeds.example/a/8', 1795491970845, 1, -2727155112019503170);
INSERT INTO "article" VALUES (17, 1, -647179231046490265, -5448575730590194018, 'a story 7', NULL, 'http://feeds.example/a/7', 1795491970845, 0, -7664114091849735658);
INSERT INTO "article" VALUES (18, 1, 1618462319867533292, -4571165455283366280, 'a story 6', NULL, 'http://feeds.example/a/6', 1795491970845, 0, -1186299317161198634);
INSERT INTO "article" VALUES (19, 1, -425107375533562894, -5395541086605163099, 'a story 5', NULL, 'http://feeds.example/a/5', 1795491970845, 0, 5306454169030647544);
INSERT INTO "article" VALUES (20, 1, -2044690329765638980, 5006881741860283741, 'a story 4', NULL, 'http://feeds.example/a/4', 1795491970845, 1, -4170039937705331596);
INSERT INTO "article" VALUES (21, 1, -670228643428772789, -8702338301193651174, 'a story 3', NULL, 'http://feeds.example/a/3', 1795491970845, 0, 617840887798099492);
INSERT INTO "article" VALUES (22, 1, -2063459222480773701, 6585677203410084150, 'a story 2', NULL, 'http://feeds.example/a/2', 1795491970845, 0, 1798923644697261522);
INSERT INTO "article" VALUES (23, 1, -1205886461962840909, -2750491043301285597, 'a story 1', NULL, 'http://feeds.example/a/1', 1795491970845, 0, 6403259476266761932);
INSERT INTO "article" VALUES (24, 1, -2892703056448999793, -2328195763341903687, 'a story 0', NULL, 'http://feeds.example/a/0', 1795491970845, 1, 5385930714975606618);
INSERT INTO "article" VALUES (25, 3, -2350817360053417276, -8567507233960492137, 'c story 11', NULL, 'http://feeds.example/c/11', 1795491970887, 0, 85503989341602848);
INSERT INTO "article" VALUES (26, 3, 8036772692444344136, 5853212700732370388, 'c story 10', NULL, 'http://feeds.example/c/10', 1795491970887, 0, 7103044299819600288);
INSERT INTO "article" VALUES (27, 3, -9189404705753155198, 5911602994392161434, 'c story 9', NULL, 'http://feeds.example/c/9', 1795491970887, 0, -774165332937680836);
INSERT INTO "article" VALUES (28, 3, 2134826207748206686, -3721076276538224865, 'c story 8', NULL, 'http://feeds.example/c/8', 1795491970887, 1, 4916071983827723730);
INSERT INTO "article" VALUES (29, 3, -6109828168400285146, -162615478197072821, 'c story 7', NULL, 'http://feeds.example/c/7', 1795491970887, 0, -6444732978059460452);
INSERT INTO "article" VALUES (30, 3, -676437411467224216, -6796964594061619658, 'c story 6', NULL, 'http://feeds.example/c/6', 1795491970887, 0, 7645395398477881496);
INSERT INTO "article" VALUES (31, 3, 4164386891393210821, -9153146506735244227, 'c story 5', NULL, 'http://feeds.example/c/5', 1795491970887, 0, 6169415271550089370);
INSERT INTO "article" VALUES (32, 3, -3404191092354777265, 2139713124223564726, 'c story 4', NULL, 'http://feeds.example/c/4', 1795491970887, 1, -3119323767945797840);
INSERT INTO "article" VALUES (33, 3, -8743393688790146793, -2492290880327931821, 'c story 3', NULL, 'http://feeds.example/c/3', 1795491970887, 0, 1651154359203534634);
INSERT INTO "article" VALUES (34, 3, -5452716534032087794, -1650847472792292268, 'c story 2', NULL, 'http://feeds.example/c/2', 1795491970887, 0, -1614574813745607352);
INSERT INTO "article" VALUES (35, 3, 8417019380747416437, -5385444444146365860, 'c story 1', NULL, 'http://feeds.example/c/1', 1795491970887, 0, 333837575466383800);
INSERT INTO "article" VALUES (36, 3, -8807006158445125976, 3504784922438898808, 'c story 0', NULL, 'http://feeds.example/c/0', 1795491970887, 1, 2620263930939950384);
INSERT INTO "article" VALUES (37, 4, -5960968499388299164, 5348644493539470390, 'remote 8', NULL, 'http://feeds.example/r/8', 1795491971488, 0, 3761151381964352678);
INSERT INTO "article" VALUES (38, 4, 1750302349509622455, -6298064191904118699, 'remote 7', NULL, 'http://feeds.example/r/7', 1795491971488, 0, 3704177376498332860);
INSERT INTO "article" VALUES (39, 4, 1310192797669293303, 7703423313321957099, 'remote 6', NULL, 'http://feeds.example/r/6', 1795491971488, 0, -6951373838547485476);
INSERT INTO "article" VALUES (40, 4, 7674613650421074157, -5377135055787300273, 'remote 5', NULL, 'http://feeds.example/r/5', 1795491971488, 0, -2675206535268764976);
INSERT INTO "article" VALUES (41, 4, -7982326658807600247, -5421337084988963060, 'remote 4', NULL, 'http://feeds.example/r/4', 1795491971488, 0, 5675804880858391056);
INSERT INTO "article" VALUES (42, 4, 2744517546871237796, -4812061010703241485, 'remote 3', NULL, 'http://feeds.example/r/3', 1795491971488, 0, -2711000665664018846);
INSERT INTO "articleBody" VALUES (1, 'b-11', 'Text of b 11, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790045480000, NULL);
INSERT INTO "articleBody" VALUES (2, 'b-10', 'Text of b 10, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790041880000, NULL);
INSERT INTO "articleBody" VALUES (3, 'b-9', 'Text of b 9, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790038280000, NULL);
INSERT INTO "articleBody" VALUES (4, 'b-8', 'Text of b 8, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790034680000, NULL);
INSERT INTO "articleBody" VALUES (5, 'b-7', 'Text of b 7, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790031080000, NULL);
INSERT INTO "articleBody" VALUES (6, 'b-6', 'Text of b 6, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790027480000, NULL);
INSERT INTO "articleBody" VALUES (7, 'b-5', 'Text of b 5, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790023880000, NULL);
INSERT INTO "articleBody" VALUES (8, 'b-4', 'Text of b 4, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790020280000, NULL);
INSERT INTO "articleBody" VALUES (9, 'b-3', 'Text of b 3, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790016680000, NULL);
INSERT INTO "articleBody" VALUES (10, 'b-2', 'Text of b 2, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790013080000, NULL);
INSERT INTO "articleBody" VALUES (11, 'b-1', 'Text of b 1, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790009480000, NULL);
INSERT INTO "articleBody" VALUES (12, 'b-0', 'Text of b 0, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790005880000, NULL);
INSERT INTO "articleBody" VALUES (13, 'a-11', 'Text of a 11, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790045420000, NULL);
INSERT INTO "articleBody" VALUES (14, 'a-10', 'Text of a 10, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790041820000, NULL);
INSERT INTO "articleBody" VALUES (15, 'a-9', 'Text of a 9, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790038220000, NULL);
INSERT INTO "articleBody" VALUES (16, 'a-8', 'Text of a 8, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790034620000, NULL);
INSERT INTO "articleBody" VALUES (17, 'a-7', 'Text of a 7, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790031020000, NULL);
INSERT INTO "articleBody" VALUES (18, 'a-6', 'Text of a 6, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790027420000, NULL);
INSERT INTO "articleBody" VALUES (19, 'a-5', 'Text of a 5, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790023820000, NULL);
INSERT INTO "articleBody" VALUES (20, 'a-4', 'Text of a 4, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790020220000, NULL);
INSERT INTO "articleBody" VALUES (21, 'a-3', 'Text of a 3, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790016620000, NULL);
INSERT INTO "articleBody" VALUES (22, 'a-2', 'Text of a 2, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790013020000, NULL);
INSERT INTO "articleBody" VALUES (23, 'a-1', 'Text of a 1, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790009420000, NULL);
INSERT INTO "articleBody" VALUES (24, 'a-0', 'Text of a 0, sqlite and wal.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1790005820000, NULL);
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
INSERT INTO "enclosure" VALUES (4, 0, 'http://feeds.example/f/b8.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (8, 0, 'http://feeds.example/f/b4.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (12, 0, 'http://feeds.example/f/b0.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (16, 0, 'http://feeds.example/f/a8.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (20, 0, 'http://feeds.example/f/a4.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (24, 0, 'http://feeds.example/f/a0.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (28, 0, 'http://feeds.example/f/c8.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (32, 0, 'http://feeds.example/f/c4.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "enclosure" VALUES (36, 0, 'http://feeds.example/f/c0.mp3', 'audio/mpeg', NULL, 500, NULL);
INSERT INTO "articleStatus" VALUES (1, 2, 1790045480000, 1, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (2, 2, 1790041880000, 0, 1, 0, NULL);
INSERT INTO "articleStatus" VALUES (3, 2, 1790038280000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (4, 2, 1790034680000, 1, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (5, 2, 1790031080000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (6, 2, 1790027480000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (7, 2, 1790023880000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (8, 2, 1790020280000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (9, 2, 1790016680000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (10, 2, 1790013080000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (11, 2, 1790009480000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (12, 2, 1790005880000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (13, 1, 1790045420000, 1, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (14, 1, 1790041820000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (15, 1, 1790038220000, 0, 1, 0, NULL);
INSERT INTO "articleStatus" VALUES (16, 1, 1790034620000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (17, 1, 1790031020000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (18, 1, 1790027420000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (19, 1, 1790023820000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (20, 1, 1790020220000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (21, 1, 1790016620000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (22, 1, 1790013020000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (23, 1, 1790009420000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (24, 1, 1790005820000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (25, 3, 1790045540000, 0, 1, 0, NULL);
INSERT INTO "articleStatus" VALUES (26, 3, 1790041940000, 1, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (27, 3, 1790038340000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (28, 3, 1790034740000, 1, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (29, 3, 1790031140000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (30, 3, 1790027540000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (31, 3, 1790023940000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (32, 3, 1790020340000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (33, 3, 1790016740000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (34, 3, 1790013140000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (35, 3, 1790009540000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (36, 3, 1790005940000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (37, 4, 1790000008000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (38, 4, 1790000007000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (39, 4, 1790000006000, 1, 1, 0, NULL);
INSERT INTO "articleStatus" VALUES (40, 4, 1790000005000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (41, 4, 1790000004000, 0, 0, 0, NULL);
INSERT INTO "articleStatus" VALUES (42, 4, 1790000003000, 0, 1, 0, NULL);
INSERT INTO "feedCounter" VALUES (1, 12, 11, 1);
INSERT INTO "feedCounter" VALUES (2, 12, 10, 1);
INSERT INTO "feedCounter" VALUES (3, 12, 10, 1);
INSERT INTO "feedCounter" VALUES (4, 6, 5, 2);
INSERT INTO "totalCounter" VALUES (1, 42, 36, 5);
INSERT INTO "refreshRequest" VALUES (1, 'feeds:1,2,3', 1795491970822, 3, 3, 0, 36, 8742, 1795491970887, 0);
INSERT INTO "refreshRequestFeed" VALUES (1, 1, 1);
INSERT INTO "refreshRequestFeed" VALUES (1, 2, 1);
INSERT INTO "refreshRequestFeed" VALUES (1, 3, 1);
INSERT INTO "syncStatus" VALUES (1, '{"bytes":8742,"done":3,"endedAt":817184770.8895265,"failed":0,"grade":"good","inFlight":0,"isRunning":false,"newArticles":36,"rate":0,"startedAt":817184770.8307868,"total":3,"width":12}');
INSERT INTO "journal" VALUES (1, 'star', 3, NULL, 1795491971878, 0, X'020d0a', NULL, NULL, NULL);
INSERT INTO "journal" VALUES (2, 'markRead', 5, NULL, 1795491972047, 0, X'0103090d02', NULL, NULL, NULL);
INSERT INTO "journal" VALUES (3, 'star', 1, 'remote 6', 1795491972237, 0, X'27', NULL, NULL, NULL);
INSERT INTO "journal" VALUES (4, 'markRead', 1, 'remote 6', 1795491972342, 0, X'27', NULL, NULL, NULL);
INSERT INTO "journal" VALUES (5, 'tag', 1, 'b story 10', 1795491977717, 0, NULL, NULL, NULL, '[{"after":["alpha"],"id":2,"table":"articleTag"},{"after":["beta"],"id":2,"table":"articleTag"}]');
INSERT INTO "journal" VALUES (6, 'tag', 1, 'a story 10', 1795491979839, 0, NULL, NULL, NULL, '[{"after":["gamma"],"id":14,"table":"articleTag"}]');
INSERT INTO "journal" VALUES (7, 'saveSearch', 1, 'sqliteDatabases', 1795491988369, 0, NULL, 1, NULL, NULL);
INSERT INTO "changeVersion" VALUES (0, 8);
INSERT INTO "changeVersion" VALUES (1, 7);
INSERT INTO "changeVersion" VALUES (2, 4);
INSERT INTO "changeVersion" VALUES (3, 7);
INSERT INTO "changeVersion" VALUES (4, 10);
INSERT INTO "changeVersion" VALUES (5, 6);
INSERT INTO "changeVersion" VALUES (6, 2);
INSERT INTO "changeVersion" VALUES (7, 1);
INSERT INTO "changeVersion" VALUES (8, 7);
INSERT INTO "changeVersion" VALUES (9, 0);
INSERT INTO "changeVersion" VALUES (10, 0);
INSERT INTO "changeVersion" VALUES (11, 8);
INSERT INTO "searchState" VALUES (1, 42);
INSERT INTO "savedSearch" VALUES (1, 'sqliteDatabases', 'sqlite', 0, NULL);
INSERT INTO "upkeep" VALUES ('journal', 1795491970890, 0);
INSERT INTO "upkeep" VALUES ('removedFeeds', 1795491970891, 0);
INSERT INTO "upkeep" VALUES ('deletedArticles', 1795491970891, 0);
INSERT INTO "upkeep" VALUES ('retention', 0, 0);
INSERT INTO "upkeep" VALUES ('dates', 1795491970892, 0);
INSERT INTO "upkeep" VALUES ('copies', 1795491970892, 0);
INSERT INTO "upkeep" VALUES ('statistics', 1795491970893, 0);
INSERT INTO "upkeep" VALUES ('freePages', 1795491970895, 0);
INSERT INTO "upkeep" VALUES ('log', 1795491970896, 0);
INSERT INTO "articleTag" VALUES (2, 'alpha');
INSERT INTO "articleTag" VALUES (2, 'beta');
INSERT INTO "articleTag" VALUES (14, 'gamma');
INSERT INTO "account" VALUES (1, 'fever', 'http://feeds.example/fever', 'ann', 'Srv', '["echo","pw"]', 3, 1795491971082, NULL, 1795491971168, 1795493810009, NULL, 'busy', 503, NULL, 1795491974370, 1);
INSERT INTO "remoteFeed" VALUES (4, 1, '7', 'Remote', 'G');
INSERT INTO "remoteArticle" VALUES (37, 1, '8');
INSERT INTO "remoteArticle" VALUES (38, 1, '7');
INSERT INTO "remoteArticle" VALUES (39, 1, '6');
INSERT INTO "remoteArticle" VALUES (40, 1, '5');
INSERT INTO "remoteArticle" VALUES (41, 1, '4');
INSERT INTO "remoteArticle" VALUES (42, 1, '3');
INSERT INTO "outbox" VALUES (1, 1, '6', 'starred', '1', 1795491972237, 1, 1795492034370, 0, NULL, 0, '503');
INSERT INTO "outbox" VALUES (2, 1, '6', 'read', '1', 1795491972342, 0, 1795492034370, 0, NULL, 0, NULL);
INSERT INTO "download" VALUES (1, 16, 'http://feeds.example/f/a8.mp3', 1795491982656, 0, 0, NULL, '/home/ann/dl/a8.mp3', NULL, NULL, NULL, NULL, 0);
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
CREATE VIEW searchDocument AS
  SELECT a.id AS articleID, a.title AS title, a.author AS author, b.tags AS tags,
    coalesce(t.html, CASE b.html WHEN '' THEN b.summary ELSE b.html END) AS html
  FROM article a JOIN articleBody b ON b.articleID = a.id
    LEFT JOIN fullText t ON t.articleID = a.id;
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
PRAGMA application_id = 0x57454952;
