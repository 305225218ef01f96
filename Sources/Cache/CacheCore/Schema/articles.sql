-- Articles, their texts and their states: three tables, so that lists never read texts and a
-- merge cannot change which articles are read.

CREATE TABLE article (
  -- The part of an article that a list shows. Keys ascend in the order of arrival.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  -- 64-bit hash of the item's id.
  identity INTEGER NOT NULL,
  -- 64-bit hash of the whole item, to notice changes.
  fingerprint INTEGER NOT NULL,
  -- Plain text, as all columns here.
  title TEXT NOT NULL,
  author TEXT,
  url TEXT,
  -- Hash of the canonical address; its upper 16 bits are a hash of the host. Bit 0 is set if
  -- the address alone does not identify a story.
  link INTEGER,
  firstSeenAt INTEGER NOT NULL,
  -- 1: it has files.
  hasEnclosure INTEGER NOT NULL,
  -- Words of the text that the reader shows, weighted for reading; 0: unknown.
  words INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX article_identity ON article(feedID, identity);
CREATE INDEX article_link ON article(link);

CREATE TABLE articleBody (
  -- The text of an article, and facts that only its page shows.
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  -- The item's id in the document.
  itemID TEXT NOT NULL,
  -- Sanitised HTML; empty if the item has only a summary.
  html TEXT NOT NULL,
  -- Plain text.
  summary TEXT,
  -- The page that the article is about.
  externalURL TEXT,
  commentsURL TEXT,
  imageURL TEXT,
  language TEXT,
  -- JSON array: name, address, name, address, ...
  authors TEXT,
  -- Categories: a JSON array.
  tags TEXT,
  publishedAt INTEGER,
  updatedAt INTEGER
);

CREATE TABLE articleRevision (
  -- Earlier texts of articles that their publisher changed, at most five for each.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  -- When the next text replaced it.
  at INTEGER NOT NULL,
  title TEXT NOT NULL,
  html TEXT NOT NULL
);
CREATE INDEX articleRevision_article ON articleRevision(articleID);

CREATE TABLE enclosure (
  -- Files of articles.
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  url TEXT NOT NULL,
  -- May be empty.
  mimeType TEXT NOT NULL,
  title TEXT,
  -- Bytes, as the item says.
  size INTEGER,
  -- Seconds, as the item says.
  duration REAL,
  PRIMARY KEY (articleID, position)
) WITHOUT ROWID;

CREATE TABLE tombstone (
  -- Deleted items, which must not return while their feed lists them.
  feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
  -- As in `article`.
  identity INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- When the feed last listed it.
  listedAt INTEGER NOT NULL DEFAULT 0,
  -- Hash of address and title, which finds it under another id.
  likeness INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (feedID, identity)
) WITHOUT ROWID;
CREATE INDEX tombstone_at ON tombstone(at);

CREATE TABLE olderPages (
  -- Requests for the posts before those that the document of a feed lists.
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  askedAt INTEGER NOT NULL,
  -- Pages that are still to be fetched.
  wanted INTEGER NOT NULL,
  -- The address of the feed. If it changes, the pages begin anew.
  feedURL TEXT NOT NULL,
  -- The next page; NULL: the document of the feed names it.
  url TEXT,
  -- 1: there is no older page.
  isEnded INTEGER NOT NULL DEFAULT 0,
  -- The addresses that were requested and that answered: a JSON array.
  pages TEXT,
  -- Hexadecimal hash of the last page.
  bodyHash TEXT,
  -- Articles that the requested pages have added.
  added INTEGER NOT NULL DEFAULT 0,
  -- The date of the oldest post of the last page.
  oldestAt INTEGER,
  -- As in `feedFetch`.
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX olderPages_wanted ON olderPages(askedAt) WHERE wanted > 0;
CREATE TABLE olderPost (
  -- Articles of such pages, for 30 days. They are no arrivals, and retention spares them.
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  fetchedAt INTEGER NOT NULL
);

CREATE TABLE readingPosition (
  -- Where reading stopped.
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  -- The index of a block of the layout.
  block INTEGER NOT NULL,
  -- The share of the block above the top of the screen, from 0 to 1.
  share REAL NOT NULL,
  -- The share of the text that has been on screen, from 0 to 1; NULL: unknown.
  seen REAL,
  -- When it was stored; NULL: unknown.
  at INTEGER
);
CREATE INDEX readingPosition_at ON readingPosition(at);

CREATE TABLE dailyPage (
  -- The list that the user reads on one day, chosen for some minutes.
  position INTEGER PRIMARY KEY,
  articleID INTEGER NOT NULL UNIQUE REFERENCES article(id) ON DELETE CASCADE,
  -- The midnight at which the day began.
  day INTEGER NOT NULL,
  -- The minutes for which it was chosen.
  minutes INTEGER NOT NULL
);

CREATE TABLE articleTag (
  -- Labels that the user gives articles.
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  tag TEXT NOT NULL COLLATE NOCASE,
  -- 1: the account's server has shown it. It is removed when the server no longer shows it.
  isRemote INTEGER NOT NULL DEFAULT 0,
  UNIQUE (articleID, tag)
);
CREATE INDEX articleTag_tag ON articleTag(tag, articleID);

CREATE TABLE articleNote (
  -- Answers of the user's programs about articles, shown below the text and searched with it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  -- The configured name. The next answer of the program replaces this one.
  program TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Paragraphs without other markup.
  html TEXT NOT NULL,
  UNIQUE (articleID, program)
);

CREATE TABLE playback (
  -- How far files of articles were played, if the player says it.
  id INTEGER PRIMARY KEY,
  articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- Seconds.
  position REAL NOT NULL,
  -- Seconds; NULL: unknown.
  duration REAL,
  isFinished INTEGER NOT NULL DEFAULT 0,
  playedAt INTEGER NOT NULL,
  UNIQUE (articleID, url)
);
