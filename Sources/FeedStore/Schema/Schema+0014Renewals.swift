extension Schema {
  /// Changes that wait although they could be sent, because the user may still undo them; and
  /// subscriptions that began anew at their server, which has other names for their articles since.
  static let renewals = """
    -- Not sent before this moment; milliseconds since 1970.
    ALTER TABLE outbox ADD COLUMN heldUntil INTEGER NOT NULL DEFAULT 0;
    -- 0: the articles have the server's names. 1: the server is to list the feed's articles, so that those
    -- that are here already get their names. 2: it has.
    ALTER TABLE remoteFeed ADD COLUMN renewal INTEGER NOT NULL DEFAULT 0;
    """
}
