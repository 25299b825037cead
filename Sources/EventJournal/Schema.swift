/// The journal's tables. Each step makes one version from the one before it; a step that was released is never changed.
enum Schema {
  /// Tells a journal from other databases: "Fenc".
  static let applicationID: Int64 = 0x4665_6e63

  /// The version that this program writes.
  static var version: Int { steps.count }

  static let steps = [first]

  /// All instants are milliseconds since 1970 in UTC.
  private static let first = """
    -- A row of region is never deleted, only ended, so that history goes on naming it.
    CREATE TABLE region (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      revision INTEGER NOT NULL,          -- of the geometry
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      radius REAL NOT NULL,               -- metres
      title TEXT,
      notify_on_entry INTEGER NOT NULL,
      notify_on_exit INTEGER NOT NULL,
      dwell TEXT NOT NULL,                -- JSON array of seconds
      repeats INTEGER NOT NULL,
      profile TEXT,
      enter_after REAL,                   -- seconds
      exit_after REAL,                    -- seconds
      exit_margin REAL,                   -- metres
      initial TEXT NOT NULL,
      cooldown REAL,                      -- seconds
      active TEXT NOT NULL,               -- JSON array of windows
      expires INTEGER,
      devices TEXT NOT NULL,              -- JSON array of globs
      tags TEXT NOT NULL,                 -- JSON array
      priority INTEGER NOT NULL,
      enabled INTEGER NOT NULL,
      created INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      ended INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX region_id ON region (id) WHERE ended IS NULL;

    CREATE TABLE region_revision (
      region INTEGER NOT NULL REFERENCES region (number),
      revision INTEGER NOT NULL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      radius REAL NOT NULL,
      since INTEGER NOT NULL,
      PRIMARY KEY (region, revision)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL CHECK (kind IN ('live', 'replay')),
      visible INTEGER NOT NULL,           -- 0 while it is written and while it is taken away
      writer TEXT,                        -- the process that writes it
      source TEXT NOT NULL,
      settings TEXT NOT NULL,             -- JSON object
      digest TEXT,                        -- SHA-256 of the source's content
      began INTEGER NOT NULL,
      ended INTEGER,
      first_fix INTEGER,
      last_fix INTEGER,
      fixes INTEGER NOT NULL DEFAULT 0,
      accepted INTEGER NOT NULL DEFAULT 0,
      rejected TEXT NOT NULL DEFAULT '{}', -- JSON object: how many for which reason
      crossings INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX run_content ON run (digest);

    CREATE TABLE crossing (
      run INTEGER NOT NULL REFERENCES run (id),
      sequence INTEGER NOT NULL,
      device TEXT NOT NULL,
      region INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('entry', 'exit', 'dwell')),
      at INTEGER NOT NULL,
      confirmed_at INTEGER NOT NULL,
      earliest INTEGER NOT NULL,
      latest INTEGER NOT NULL,
      cause TEXT NOT NULL CHECK (cause IN ('observed', 'gap', 'pass', 'initial')),
      notify INTEGER NOT NULL,
      latitude REAL NOT NULL,             -- where the perimeter was met, else the fix
      longitude REAL NOT NULL,
      PRIMARY KEY (run, sequence),
      FOREIGN KEY (region, revision) REFERENCES region_revision (region, revision)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX crossing_time ON crossing (confirmed_at, run, sequence);
    CREATE INDEX crossing_region ON crossing (region, confirmed_at);
    CREATE INDEX crossing_device ON crossing (device, confirmed_at);

    CREATE TABLE visit (
      run INTEGER NOT NULL REFERENCES run (id),
      number INTEGER NOT NULL,
      device TEXT NOT NULL,
      region INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      entered INTEGER NOT NULL,
      left INTEGER,
      reason TEXT NOT NULL
        CHECK (reason IN ('open', 'exit', 'session', 'edited', 'removed', 'expired', 'disabled')),
      CHECK ((left IS NULL) = (reason = 'open')),
      PRIMARY KEY (run, number),
      FOREIGN KEY (region, revision) REFERENCES region_revision (region, revision)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX visit_time ON visit (entered, run, number);
    CREATE INDEX visit_region ON visit (region, entered);
    CREATE INDEX visit_device ON visit (device, entered);

    -- For people who open the file with sqlite3 or DB Browser.
    CREATE VIEW crossings_readable AS
      SELECT c.run, c.sequence, c.device, r.id AS region, r.title, c.kind,
        strftime('%Y-%m-%dT%H:%M:%fZ', c.at / 1000.0, 'unixepoch') AS at,
        strftime('%Y-%m-%dT%H:%M:%fZ', c.confirmed_at / 1000.0, 'unixepoch') AS confirmed_at,
        strftime('%Y-%m-%dT%H:%M:%fZ', c.earliest / 1000.0, 'unixepoch') AS earliest,
        strftime('%Y-%m-%dT%H:%M:%fZ', c.latest / 1000.0, 'unixepoch') AS latest,
        c.cause, c.notify, c.latitude, c.longitude, u.source
      FROM crossing c JOIN run u ON u.id = c.run AND u.visible JOIN region r ON r.number = c.region
      ORDER BY c.confirmed_at, c.run, c.sequence;
    CREATE VIEW visits AS
      SELECT v.run, v.device, r.id AS region, r.title,
        strftime('%Y-%m-%dT%H:%M:%fZ', v.entered / 1000.0, 'unixepoch') AS entered,
        strftime('%Y-%m-%dT%H:%M:%fZ', v.left / 1000.0, 'unixepoch') AS left,
        (v.left - v.entered) / 1000.0 AS seconds, v.reason, u.source
      FROM visit v JOIN run u ON u.id = v.run AND u.visible JOIN region r ON r.number = v.region
      ORDER BY v.entered, v.run, v.number;
    """
}
