extension Schema {
  /// The notification centre.
  static let third = """
    -- Who may notify, and how.
    CREATE TABLE app (
      id TEXT PRIMARY KEY,
      status TEXT NOT NULL
        CHECK (status IN ('not determined', 'denied', 'authorized', 'provisional', 'ephemeral')),
      options INTEGER NOT NULL,           -- what is allowed: bits
      requested INTEGER NOT NULL,         -- what the app has asked for: bits
      entitled INTEGER NOT NULL,          -- 1: may break through everything
      expires INTEGER,                    -- of an ephemeral permission
      usage TEXT,                         -- what the app says that it needs it for
      asked INTEGER,                      -- when the user was to be asked
      badge INTEGER NOT NULL,
      counts INTEGER NOT NULL             -- 1: the badge is how many are delivered and not read
    ) STRICT, WITHOUT ROWID;
    INSERT INTO app VALUES ('fenceline', 'authorized', \(ownOptions), 0, 0, NULL, NULL, NULL, 0, 0);

    CREATE TABLE category (
      app TEXT NOT NULL,
      id TEXT NOT NULL,
      definition TEXT NOT NULL,           -- JSON object
      PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;

    -- What is wanted and not over. 'due' is worked out from the trigger anew whenever clocks, zones or the machine begin anew.
    CREATE TABLE request (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      app TEXT NOT NULL,
      id TEXT NOT NULL,
      content TEXT NOT NULL,              -- JSON object
      trigger TEXT NOT NULL,              -- JSON object; null: at once
      misfire TEXT NOT NULL,              -- 'once', 'skip', or how many at most
      grace REAL NOT NULL,                -- seconds
      past_grace REAL,                    -- seconds
      requested INTEGER NOT NULL,
      boot TEXT,                          -- of an interval: during which boot it was asked for,
      boot_time INTEGER,                  -- and milliseconds since that
      due INTEGER,
      last_key INTEGER,                   -- the last occurrence that was seen to
      last_at INTEGER,
      region TEXT,                        -- identifier, of a location
      owns_region INTEGER NOT NULL        -- 1: the region is there for the request alone
    ) STRICT;
    CREATE UNIQUE INDEX request_id ON request (app, id);
    CREATE INDEX request_due ON request (due, number) WHERE due IS NOT NULL;
    CREATE INDEX request_region ON request (region) WHERE region IS NOT NULL;

    -- What has become due. One occurrence of a request, or one crossing, is there once.
    CREATE TABLE notification (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      app TEXT NOT NULL,
      id TEXT NOT NULL,                   -- of the request
      request INTEGER,                    -- its number
      key INTEGER,                        -- the occurrence
      content TEXT NOT NULL,              -- JSON object
      due INTEGER NOT NULL,
      at INTEGER NOT NULL,                -- by the system's clock
      run INTEGER,
      sequence INTEGER,                   -- of a crossing
      region INTEGER,
      device TEXT,
      crossed INTEGER,                    -- when the crossing was confirmed
      state TEXT NOT NULL CHECK (state IN ('asked', 'held', 'delivered', 'suppressed')),
      reason TEXT,                        -- what holds or suppresses it
      until INTEGER,                      -- how long it is held, or may be asked about
      presentation INTEGER NOT NULL,      -- bits
      read INTEGER NOT NULL,
      removed INTEGER                     -- when it left the list
    ) STRICT;
    CREATE UNIQUE INDEX notification_occurrence ON notification (request, key) WHERE key IS NOT NULL;
    CREATE UNIQUE INDEX notification_crossing ON notification (run, sequence, app, id) WHERE run IS NOT NULL;
    CREATE INDEX notification_id ON notification (app, id) WHERE removed IS NULL;
    CREATE INDEX notification_at ON notification (at);
    CREATE INDEX notification_waiting ON notification (state, until) WHERE state IN ('asked', 'held');
    CREATE INDEX notification_place ON notification (region, device, crossed)
      WHERE region IS NOT NULL AND state <> 'suppressed';

    CREATE TABLE response (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      app TEXT NOT NULL,
      id TEXT NOT NULL,                   -- of the request
      notification INTEGER NOT NULL,
      action TEXT NOT NULL,
      text TEXT,
      at INTEGER NOT NULL,
      acknowledged INTEGER,
      command TEXT,                       -- JSON array: what is run for it
      status TEXT                         -- of the command: NULL where it has not ended
    ) STRICT;
    CREATE INDEX response_notification ON response (notification) WHERE acknowledged IS NULL;
    CREATE INDEX response_open ON response (app, number) WHERE acknowledged IS NULL;
    CREATE INDEX response_command ON response (number) WHERE command IS NOT NULL AND status IS NULL;

    CREATE TABLE focus (
      id TEXT PRIMARY KEY,
      definition TEXT NOT NULL,           -- JSON object
      mode TEXT NOT NULL CHECK (mode IN ('automatic', 'on', 'off')),
      until INTEGER                       -- how long 'on' and 'off' hold
    ) STRICT, WITHOUT ROWID;

    -- What became of requests that were not delivered.
    CREATE TABLE request_end (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      app TEXT NOT NULL,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('evicted', 'missed', 'region removed'))
    ) STRICT;

    -- What waits for a region that is no more never comes; whoever has ended the region.
    CREATE TRIGGER region_ended AFTER UPDATE OF ended ON region WHEN old.ended IS NULL AND new.ended IS NOT NULL BEGIN
      INSERT INTO request_end (app, id, at, reason)
        SELECT app, id, new.changed, 'region removed' FROM request WHERE region = new.id;
      DELETE FROM request WHERE region = new.id;
    END;

    CREATE VIEW notifications_readable AS
      SELECT n.number, n.app, n.id, json_extract(n.content, '$.title') AS title,
        json_extract(n.content, '$.body') AS body,
        strftime('%Y-%m-%dT%H:%M:%fZ', n.due / 1000.0, 'unixepoch') AS due,
        strftime('%Y-%m-%dT%H:%M:%fZ', n.at / 1000.0, 'unixepoch') AS at,
        n.state, n.reason, n.device, r.id AS region
      FROM notification n LEFT JOIN region r ON r.number = n.region ORDER BY n.number;
    """

  /// What the command line's own app may do from the beginning: alert, sound, badge, list, and what is time-sensitive.
  private static let ownOptions = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 8 | 1 << 16
}
