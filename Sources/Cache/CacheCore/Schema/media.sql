-- Pages, pictures and files of articles, and packs of them for reading offline.

CREATE TABLE fullText (
  -- Texts of the pages of articles, requested or fetched.
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  askedAt INTEGER NOT NULL,
  -- 1: the user asked for it; 0: a setting of the feed did.
  isWanted INTEGER NOT NULL,
  isWaiting INTEGER NOT NULL DEFAULT 1,
  -- 1: shown instead of the feed's text.
  isShown INTEGER NOT NULL DEFAULT 1,
  -- Sanitised HTML; NULL: not fetched.
  html TEXT,
  -- The addresses that were requested for it and that answered: a JSON array.
  pages TEXT,
  -- As in `feedFetch`. The detail of a fetched page says why it is only the beginning.
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX fullText_waiting ON fullText(articleID) WHERE isWaiting = 1;

CREATE TABLE picture (
  -- Pictures by address. Their files are in `pictures` beside the database. A row outlives its
  -- file, because texts reserve space by its size.
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  -- The feed whose article shows it. Its credentials and private server may be used.
  feedID INTEGER,
  -- `fullText.pages` of the article that shows it.
  pages TEXT,
  -- 0: not wanted; 1: the next screens may need it; 2: it is on screen.
  wanted INTEGER NOT NULL DEFAULT 0,
  askedAt INTEGER NOT NULL,
  -- The last answer.
  fetchedAt INTEGER,
  -- The last day on screen.
  usedAt INTEGER NOT NULL DEFAULT 0,
  -- XXH64 of the file; NULL: there is none.
  hash INTEGER,
  -- Bytes of the file.
  length INTEGER,
  -- Pixels, as received.
  width INTEGER,
  height INTEGER,
  -- Validators, as in `feedFetch`.
  etag TEXT,
  lastModified TEXT,
  validatorsURL TEXT,
  -- Why it is not shown: a code of PictureRefusal.
  refusal TEXT,
  -- As in `feedFetch`.
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX picture_wanted ON picture(wanted, askedAt) WHERE wanted > 0;
CREATE INDEX picture_used ON picture(usedAt, length) WHERE hash IS NOT NULL;

CREATE TABLE download (
  -- Files of articles, requested or saved.
  id INTEGER PRIMARY KEY,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  askedAt INTEGER NOT NULL,
  isWaiting INTEGER NOT NULL DEFAULT 1,
  -- The smallest comes first, then the earliest request.
  position INTEGER NOT NULL DEFAULT 0,
  -- 1: by the user; the part that was received is kept.
  isPaused INTEGER NOT NULL DEFAULT 0,
  -- 1: the configured amounts do not apply.
  ignoresLimits INTEGER NOT NULL DEFAULT 0,
  -- Bytes so far.
  received INTEGER NOT NULL DEFAULT 0,
  -- Bytes of the whole; NULL: unknown.
  size INTEGER,
  -- The server's name of the version that was received in part; NULL: it begins again.
  validator TEXT,
  -- Where it was saved, and when.
  path TEXT,
  savedAt INTEGER,
  -- The pack that downloads it; NULL: none.
  packID INTEGER REFERENCES pack(id) ON DELETE SET NULL,
  -- As in `feedFetch`.
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0,
  UNIQUE (articleID, url)
);
CREATE INDEX download_waiting ON download(id) WHERE isWaiting = 1;
CREATE INDEX download_pack ON download(packID) WHERE packID IS NOT NULL;

CREATE TABLE chapters (
  -- Files of the chapters of episodes, as their feeds name them.
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- 0: not fetched; 1: requested; 2: fetched, or refused for good.
  state INTEGER NOT NULL DEFAULT 0,
  -- The list as HTML; empty if the text has it; NULL: not fetched.
  html TEXT,
  -- As in `feedFetch`.
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX chapters_waiting ON chapters(articleID) WHERE state = 1;
CREATE TRIGGER chapters_of_download AFTER INSERT ON download BEGIN
  UPDATE chapters SET state = 1 WHERE articleID = NEW.articleID AND state = 0;
END;

CREATE TABLE downloadUsage (
  -- Downloaded bytes by day, for the configured amounts. Kept for two months.
  day INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
);
CREATE TABLE downloadHold (
  -- Why waiting downloads do not start: one row or none.
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- A code of DownloadHold.Reason.
  reason TEXT NOT NULL,
  until INTEGER NOT NULL
);

CREATE TABLE pack (
  -- Sets of articles that are fetched whole for reading offline.
  id INTEGER PRIMARY KEY,
  -- Selects the articles; empty: those for later, then unread ones, starred first.
  query TEXT NOT NULL,
  -- Bytes on the wire.
  budget INTEGER NOT NULL,
  -- Its articles are kept for 14 days from then.
  startedAt INTEGER NOT NULL,
  -- NULL: it is in progress.
  endedAt INTEGER,
  -- A code of Pack.End.
  endReason TEXT,
  -- Bytes on the wire.
  received INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX pack_open ON pack(endedAt IS NULL) WHERE endedAt IS NULL;
CREATE TABLE packArticle (
  packID INTEGER NOT NULL REFERENCES pack(id) ON DELETE CASCADE,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  -- In reading order.
  position INTEGER NOT NULL,
  minutes INTEGER NOT NULL,
  PRIMARY KEY (packID, articleID)
) WITHOUT ROWID;
CREATE INDEX packArticle_article ON packArticle(articleID);
CREATE TABLE packItem (
  -- Parts of a pack that are fetched: a text, picture or audio file each.
  id INTEGER PRIMARY KEY,
  packID INTEGER NOT NULL REFERENCES pack(id) ON DELETE CASCADE,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  -- Pack.Stage; 2 was a page of comments.
  stage INTEGER NOT NULL CHECK (stage <> 2),
  -- Of its article, in reading order.
  position INTEGER NOT NULL,
  url TEXT NOT NULL,
  -- 0: waits; 1: done; 2: failed; 3 and above: over the budget.
  state INTEGER NOT NULL DEFAULT 0,
  -- On the wire.
  bytes INTEGER NOT NULL DEFAULT 0,
  -- As in `feedFetch`.
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0,
  UNIQUE (packID, stage, url)
);
CREATE INDEX packItem_waiting ON packItem(packID, stage, position) WHERE state = 0;
CREATE INDEX packItem_article ON packItem(articleID);
CREATE INDEX packItem_url ON packItem(url) WHERE stage = 1;
