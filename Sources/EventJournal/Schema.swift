/// The journal's tables. Each step makes one version from the one before it; a step that was released is never changed.
enum Schema {
  /// Tells a journal from other databases: "Fenc".
  static let applicationID: Int64 = 0x4665_6e63

  /// The version that this program writes.
  static var version: Int { steps.count }

  static let steps = [first, second, third, fourth]

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

  /// What the live service needs: its state, what others change meanwhile, its settings, and where devices have been.
  private static let second = """
    ALTER TABLE region ADD COLUMN armed INTEGER NOT NULL DEFAULT 1;         -- 0 once a region that notifies once has done so
    ALTER TABLE region ADD COLUMN unknown_since INTEGER NOT NULL DEFAULT 0; -- the change that made nothing known of it

    ALTER TABLE run ADD COLUMN synchronised INTEGER NOT NULL DEFAULT 0;     -- the last crossing that survives a power cut

    -- What the service has not taken notice of yet. Where it has never run there is nobody to tell.
    CREATE TABLE change (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      what TEXT NOT NULL CHECK (what IN ('region', 'begun', 'setting')),
      region INTEGER                      -- its number; 'begun': nothing that was known of it holds
    ) STRICT;

    CREATE TABLE setting (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL,
      changed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER setting_made AFTER INSERT ON setting WHEN EXISTS (SELECT 1 FROM run WHERE kind = 'live')
    BEGIN INSERT INTO change (what) VALUES ('setting'); END;
    CREATE TRIGGER setting_changed AFTER UPDATE ON setting WHEN EXISTS (SELECT 1 FROM run WHERE kind = 'live')
    BEGIN INSERT INTO change (what) VALUES ('setting'); END;
    CREATE TRIGGER setting_removed AFTER DELETE ON setting WHEN EXISTS (SELECT 1 FROM run WHERE kind = 'live')
    BEGIN INSERT INTO change (what) VALUES ('setting'); END;

    -- Where the live run stands: what is known of each device, and of each device and region that it is near, inside or in doubt about.
    CREATE TABLE device_state (
      device TEXT PRIMARY KEY,
      time INTEGER NOT NULL,              -- the last fix that counted
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      accuracy REAL,                      -- metres, 68 %
      altitude REAL,                      -- metres
      speed REAL,                         -- m/s
      course REAL,                        -- degrees
      source TEXT NOT NULL,
      track INTEGER NOT NULL,
      memory TEXT NOT NULL                -- JSON object: intervals, accuracies, suspects
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE region_state (
      device TEXT NOT NULL,
      region INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      side TEXT NOT NULL CHECK (side IN ('unknown', 'outside', 'inside')),
      detail TEXT NOT NULL,               -- JSON object: candidate, meetings, the visit's clock, dwells
      PRIMARY KEY (device, region),
      FOREIGN KEY (region, revision) REFERENCES region_revision (region, revision)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX region_state_region ON region_state (region);

    -- An edit that makes nothing known of a region ends its live visits, whoever makes it, and whether or not the service runs.
    CREATE TRIGGER region_added AFTER INSERT ON region
    WHEN EXISTS (SELECT 1 FROM run WHERE kind = 'live') BEGIN
      INSERT INTO change (what, region) VALUES ('begun', new.number);
      UPDATE region SET unknown_since = (SELECT max(id) FROM change) WHERE number = new.number;
    END;
    CREATE TRIGGER region_changed AFTER UPDATE OF id, latitude, longitude, radius, title, notify_on_entry,
      notify_on_exit, dwell, repeats, profile, enter_after, exit_after, exit_margin, initial, cooldown, active,
      expires, devices, tags, priority, enabled, ended ON region
    WHEN EXISTS (SELECT 1 FROM run WHERE kind = 'live') BEGIN
      INSERT INTO change (what, region) SELECT CASE
        WHEN old.latitude <> new.latitude OR old.longitude <> new.longitude OR old.radius <> new.radius
          OR old.enabled <> new.enabled OR (old.ended IS NULL) <> (new.ended IS NULL)
        THEN 'begun' ELSE 'region' END, new.number;
      UPDATE region SET unknown_since = (SELECT max(id) FROM change) WHERE number = new.number
        AND (old.devices <> new.devices
          OR (SELECT what FROM change WHERE id = (SELECT max(id) FROM change)) = 'begun');
      UPDATE visit SET left = max(entered, new.changed), reason = CASE
        WHEN new.ended IS NOT NULL THEN 'removed' WHEN new.enabled = 0 THEN 'disabled' ELSE 'edited' END
      WHERE region = new.number AND reason = 'open' AND run IN (SELECT id FROM run WHERE kind = 'live')
        AND (SELECT what FROM change WHERE id = (SELECT max(id) FROM change)) = 'begun';
      DELETE FROM region_state WHERE region = new.number
        AND (SELECT what FROM change WHERE id = (SELECT max(id) FROM change)) = 'begun';
    END;

    -- Receivers, and what became of their signal.
    CREATE TABLE signal (
      run INTEGER NOT NULL REFERENCES run (id),
      number INTEGER NOT NULL,
      at INTEGER NOT NULL,                -- by the system's clock
      source TEXT NOT NULL,
      device TEXT,                        -- NULL: the source itself
      state TEXT NOT NULL CHECK (state IN ('connecting', 'no receiver', 'no fix', '2D', '3D', 'silent')),
      event TEXT CHECK (event IN ('signal lost', 'signal back')),
      PRIMARY KEY (run, number)
    ) STRICT, WITHOUT ROWID;

    -- Where devices have been, thinned.
    CREATE TABLE device (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE position (
      device INTEGER NOT NULL REFERENCES device (number),
      time INTEGER NOT NULL,
      latitude INTEGER NOT NULL,          -- 1e-7 degree
      longitude INTEGER NOT NULL,         -- 1e-7 degree
      accuracy INTEGER,                   -- cm, 68 %
      altitude INTEGER,                   -- cm
      speed INTEGER,                      -- cm/s
      course INTEGER,                     -- 0.01 degree
      begins INTEGER NOT NULL,            -- 1 where a new track begins
      PRIMARY KEY (device, time)
    ) STRICT, WITHOUT ROWID;
    """
}
