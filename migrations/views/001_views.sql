-- +goose Up
CREATE TABLE checkpoint (one INTEGER PRIMARY KEY CHECK (one = 1), pos INTEGER NOT NULL);
INSERT INTO checkpoint (one, pos) VALUES (1, 0);

CREATE TABLE tables (
  name     TEXT PRIMARY KEY,
  rulebook TEXT NOT NULL,
  status   TEXT NOT NULL,
  ending   TEXT NOT NULL,
  opener   TEXT NOT NULL,
  seats    INTEGER NOT NULL,
  open     INTEGER NOT NULL, -- seats that anybody may take
  branch   TEXT NOT NULL,    -- the table it was branched from, or ''
  version  INTEGER NOT NULL, -- of the main line
  opened   INTEGER NOT NULL, -- milliseconds
  moved    INTEGER NOT NULL, -- the last event of the table or its main line, milliseconds
  house    INTEGER NOT NULL, -- 1 if it waits for the house
  hidden   INTEGER NOT NULL, -- 1 if it is hidden from all but its people
  due      INTEGER NOT NULL, -- the first of its deadlines, milliseconds; 0 if it has none
  sealed   INTEGER NOT NULL, -- 1 if it has ended and its secrets are not open yet
  listed   INTEGER NOT NULL  -- 1 if its opener lets strangers find it
) WITHOUT ROWID;
CREATE INDEX tables_by_status ON tables (status, moved);
CREATE INDEX tables_of_house ON tables (house) WHERE house = 1;
CREATE INDEX tables_by_due ON tables (due) WHERE due > 0;
CREATE INDEX tables_sealed ON tables (sealed) WHERE sealed = 1;
CREATE INDEX tables_by_branch ON tables (branch) WHERE branch <> '';

CREATE TABLE places (
  table_name TEXT NOT NULL,
  person     TEXT NOT NULL,
  seat       INTEGER NOT NULL,
  role       TEXT NOT NULL, -- 'plays', 'invited', 'opened', 'resigned'
  PRIMARY KEY (person, table_name, seat, role)
) WITHOUT ROWID;
CREATE INDEX places_by_table ON places (table_name);

CREATE TABLE awaited (
  table_name TEXT NOT NULL,
  person     TEXT NOT NULL,
  seat       INTEGER NOT NULL,
  kind       TEXT NOT NULL, -- a rulebook's decision, or 'consent', or 'invitation'
  serial     INTEGER NOT NULL,
  since      INTEGER NOT NULL, -- the version that brought it up
  since_at   INTEGER NOT NULL, -- milliseconds
  due        INTEGER NOT NULL, -- until when, milliseconds; 0 for ever
  PRIMARY KEY (person, table_name, seat, kind, serial)
) WITHOUT ROWID;
CREATE INDEX awaited_by_table ON awaited (table_name);
