-- +goose Up
-- The subject of all mails about a table to a person: mail programs keep those together that
-- have the same one, and the names in it may change.
CREATE TABLE thread (
  table_name TEXT NOT NULL,
  person     TEXT NOT NULL,
  subject    BLOB NOT NULL, -- sealed
  PRIMARY KEY (table_name, person)
) WITHOUT ROWID;
