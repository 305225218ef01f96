extension Schema {
  /// What sending to accounts' servers needs to send no state twice, and to wait no longer than a
  /// server asks for. Changes that earlier versions set aside because the server had an error of
  /// its own (5xx) are sent again.
  static let sending = """
    -- It was sent, and no answer came: whether the server took it is not known.
    ALTER TABLE outbox RENAME COLUMN isRepeat TO isUnanswered;
    UPDATE outbox SET isUnanswered = 0;
    -- When a pull last looked whether the server shows a confirmed change.
    ALTER TABLE outbox ADD COLUMN checkedAt INTEGER;
    -- The server asked for no requests before then.
    ALTER TABLE account ADD COLUMN pausedUntil INTEGER;

    UPDATE outbox SET state = 0, attempts = 0, nextTry = 0, detail = NULL
    WHERE state = 2 AND (detail GLOB '5[0-9][0-9]' OR detail GLOB '5[0-9][0-9]:*');
    """
}
