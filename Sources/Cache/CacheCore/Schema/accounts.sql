-- Accounts at servers, the servers' ids of feeds, articles and tags, and changes to be sent. The
-- database contains no secrets.

CREATE TABLE account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A code of Account.Kind.
  kind TEXT NOT NULL,
  -- The address of the server's API.
  url TEXT NOT NULL,
  user TEXT NOT NULL,
  title TEXT NOT NULL,
  -- The program that prints the password, and its arguments: a JSON array.
  passwordCommand TEXT,
  -- Its branch of the subscriptions.
  folderID INTEGER REFERENCES folder(id) ON DELETE SET NULL,
  addedAt INTEGER NOT NULL,
  -- A sync was asked for and is not done.
  requestedAt INTEGER,
  -- The start of the last complete pull.
  syncedAt INTEGER,
  nextSyncAt INTEGER,
  -- The process that syncs it.
  syncOwner TEXT,
  -- The server asked for no requests before then.
  pausedUntil INTEGER,
  -- 1: the server takes no tags; they stay on this machine.
  refusesTags INTEGER NOT NULL DEFAULT 0,
  -- The tag of articles that are kept for later; NULL: none.
  laterTag TEXT,
  -- The label of that tag, as the configuration spells it.
  laterLabel TEXT,
  -- 1: the states in articles contradict the lists of ids, which are used.
  hasWrongItemStates INTEGER NOT NULL DEFAULT 0,
  -- When a pull first got empty lists; NULL: the last lists were not empty.
  emptySince INTEGER,
  -- When the server was last found rebuilt or set back.
  rebuiltAt INTEGER,
  -- AccountFailure.Kind; NULL: the last sync did not fail. As in `feedFetch`.
  failureKind TEXT,
  failureStatus INTEGER,
  failureDetail TEXT,
  failureSince INTEGER,
  failureCount INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX account_address ON account(kind, url, user);

CREATE TABLE remoteFeed (
  -- The server's view of an account's feeds.
  feedID INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  -- NULL: not known yet.
  remoteID TEXT,
  title TEXT NOT NULL DEFAULT '',
  folder TEXT NOT NULL DEFAULT '',
  -- 0: its articles have the server's ids; 1: the server is to list them again; 2: it has.
  renewal INTEGER NOT NULL DEFAULT 0,
  -- In the server's list.
  position INTEGER
);
CREATE UNIQUE INDEX remoteFeed_name ON remoteFeed(accountID, remoteID);

CREATE TABLE remoteArticle (
  -- The server's ids of articles.
  articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  remoteID TEXT NOT NULL
);
CREATE UNIQUE INDEX remoteArticle_name ON remoteArticle(accountID, remoteID);

CREATE TABLE remoteLabel (
  -- The server's names of tags.
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  tag TEXT NOT NULL COLLATE NOCASE,
  label TEXT NOT NULL,
  UNIQUE (accountID, tag)
);

CREATE TABLE outbox (
  -- Changes for servers: the newest of each state, not its history. A newer change of the same
  -- state gets a new `seq`.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
  -- The server's id of an article, the key of a feed, or the name of a folder.
  item TEXT NOT NULL,
  -- "read", "starred", "tag:" and a tag; "subscribed", "title", "folder"; "label" of a folder.
  key TEXT NOT NULL,
  want TEXT NOT NULL,
  changedAt INTEGER NOT NULL,
  -- Attempts to send it, and 1 if it replaced a change that was sent. If there are any, the
  -- server may have another state than the last pull showed.
  attempts INTEGER NOT NULL DEFAULT 0,
  nextTry INTEGER NOT NULL DEFAULT 0,
  -- 0: to be sent; 1: the server accepted it and a pull is to show it; 2: refused.
  state INTEGER NOT NULL DEFAULT 0,
  -- The same for all changes of one request, and for no others.
  confirmedAt INTEGER,
  -- Why the last attempt failed. "not-kept": no pull showed it after its confirmation.
  detail TEXT,
  -- Not sent before then, because it may be undone.
  heldUntil INTEGER NOT NULL DEFAULT 0,
  UNIQUE (accountID, item, key)
);
