extension Schema {
  /// What the engine publishes while it is watched, and how it is controlled. Nothing here outlives
  /// a sync: a lost row costs a glance.
  static let telemetry = """
    -- Processes that show the console.
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
    CREATE TABLE telemetryOperation (
      -- A feed's key; a discovery's, negative.
      id INTEGER PRIMARY KEY,
      host TEXT NOT NULL,
      class INTEGER NOT NULL,
      isRunning INTEGER NOT NULL,
      -- The stage where it runs, else the reason why it waits.
      detail INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      since INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      place INTEGER NOT NULL
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

    ALTER TABLE refreshRequest ADD COLUMN unchanged INTEGER NOT NULL DEFAULT 0;

    INSERT INTO changeVersion (kind) VALUES (9), (10);
    """
}
