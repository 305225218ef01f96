extension Schema {
  /// How many requests at once hosts bear that refused or slowed, and why, for the console too.
  static let hostLimits = """
    CREATE TABLE hostLimit (
      host TEXT PRIMARY KEY,
      atOnce INTEGER NOT NULL,
      -- The code of a HostLimitReason.
      reason TEXT NOT NULL,
      -- Milliseconds since 1970.
      until INTEGER NOT NULL
    );
    ALTER TABLE telemetryHost ADD COLUMN atOnce INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE telemetryHost ADD COLUMN reason TEXT;
    """
}
