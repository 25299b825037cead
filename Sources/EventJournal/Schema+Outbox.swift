extension Schema {
  /// The outbox: what is carried to people and machines, and by which channels.
  static let fourth = """
    -- Tells the events of this journal from those of every other. A copy that goes on by itself needs another one.
    CREATE TABLE identity (id TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (lower(hex(randomblob(6))));

    CREATE TABLE channel (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      options TEXT NOT NULL,              -- JSON object: arrays of texts
      rules TEXT NOT NULL,                -- JSON object: which events, and how they are tried
      enabled INTEGER NOT NULL,
      problem TEXT,                       -- why it was switched off without anybody's doing
      seal TEXT NOT NULL,                 -- random; tells what the channel has made itself
      nudges INTEGER NOT NULL DEFAULT 0,  -- how often somebody has asked that it try at once
      created INTEGER NOT NULL
    ) STRICT;

    -- One event for one channel. Those of a line are carried one after the other.
    CREATE TABLE delivery (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      channel INTEGER NOT NULL REFERENCES channel (number),
      device TEXT NOT NULL,               -- empty: of none
      line TEXT NOT NULL,
      run INTEGER,                        -- the crossing,
      sequence INTEGER,
      notification INTEGER,               -- or the notification
      unless_seen INTEGER NOT NULL,       -- 1: not where the notification has left the list by then
      created INTEGER NOT NULL,
      since INTEGER NOT NULL,             -- from when on it is tried
      attempts INTEGER NOT NULL DEFAULT 0,
      refusals INTEGER NOT NULL DEFAULT 0,   -- how often somebody was there who did not want it
      next INTEGER NOT NULL,              -- not to be tried before
      state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'dead', 'dropped')),
      ended INTEGER,
      detail TEXT,                        -- of the last attempt
      output TEXT,
      CHECK ((run IS NULL) = (sequence IS NULL) AND (run IS NULL) <> (notification IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX delivery_crossing ON delivery (run, sequence, channel) WHERE run IS NOT NULL;
    CREATE UNIQUE INDEX delivery_notification ON delivery (notification, channel) WHERE notification IS NOT NULL;
    CREATE INDEX delivery_waiting ON delivery (channel, line, number) WHERE state = 'waiting';
    CREATE INDEX delivery_ended ON delivery (ended) WHERE ended IS NOT NULL;
    CREATE INDEX delivery_over ON delivery (channel, state, number) WHERE ended IS NOT NULL;
    CREATE INDEX delivery_failing ON delivery (channel, number) WHERE state = 'waiting' AND attempts > 0;

    -- Goes up whenever channels, or what waits, was changed by somebody else than the service.
    CREATE TABLE outbox_edit (number INTEGER NOT NULL) STRICT;
    INSERT INTO outbox_edit VALUES (1);
    CREATE TRIGGER channel_added AFTER INSERT ON channel BEGIN UPDATE outbox_edit SET number = number + 1; END;
    CREATE TRIGGER channel_changed AFTER UPDATE ON channel BEGIN UPDATE outbox_edit SET number = number + 1; END;
    CREATE TRIGGER channel_removed AFTER DELETE ON channel BEGIN UPDATE outbox_edit SET number = number + 1; END;

    -- The visits that go on, so that an exit finds its own whatever the run has seen.
    CREATE INDEX visit_open ON visit (device, region) WHERE reason = 'open';

    CREATE VIEW deliveries_readable AS
      SELECT d.number, c.name AS channel, d.device, d.run, d.sequence, d.notification, d.attempts, d.state,
        strftime('%Y-%m-%dT%H:%M:%fZ', d.created / 1000.0, 'unixepoch') AS created,
        strftime('%Y-%m-%dT%H:%M:%fZ', d.next / 1000.0, 'unixepoch') AS next,
        strftime('%Y-%m-%dT%H:%M:%fZ', d.ended / 1000.0, 'unixepoch') AS ended, d.detail
      FROM delivery d JOIN channel c ON c.number = d.channel ORDER BY d.number;
    """
}
