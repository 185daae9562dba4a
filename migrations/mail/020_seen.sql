-- +goose Up
-- When the person of a letter that waited was first seen at its table's page, in milliseconds; 0 if they were not.
-- expands: a column with a default, and a table
ALTER TABLE outbox ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;

-- What people were asked at the page and answered there, so that no letter went out about it, until one has said so.
CREATE TABLE unmailed (
  person     TEXT NOT NULL,
  table_name TEXT NOT NULL,
  stream     TEXT NOT NULL,
  since      INTEGER NOT NULL,           -- the version that asked it
  letter     INTEGER NOT NULL DEFAULT 0, -- the one that says so, once it is written
  PRIMARY KEY (person, table_name, stream, since)
) WITHOUT ROWID;
CREATE INDEX unmailed_by_letter ON unmailed (letter) WHERE letter > 0;

-- +goose Down
DROP TABLE unmailed;
ALTER TABLE outbox DROP COLUMN seen;
