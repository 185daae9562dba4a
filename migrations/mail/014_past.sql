-- +goose Up
-- What is left for ever of letters, answers and calls that are over: a digest of each one's key, so that none is written twice,
-- and of each letter's Message-ID.
CREATE TABLE past (digest BLOB PRIMARY KEY) WITHOUT ROWID;

-- What is left of a letter for as long as something about it may come back.
CREATE TABLE mailed (
  letter     INTEGER PRIMARY KEY,
  kind       TEXT NOT NULL,
  person     TEXT NOT NULL,
  table_name TEXT NOT NULL,
  mailbox    TEXT NOT NULL,
  state      TEXT NOT NULL,
  mark       BLOB NOT NULL,    -- of its Message-ID
  made       INTEGER NOT NULL,
  done       INTEGER NOT NULL
);
CREATE INDEX mailed_by_person ON mailed (person);
CREATE INDEX mailed_by_done ON mailed (done);

UPDATE outbox SET done = made WHERE done = 0 AND state IN ('sent', 'dropped');
CREATE INDEX outbox_over ON outbox (done) WHERE state IN ('sent', 'dropped');

-- +goose Down
DROP INDEX outbox_over;
DROP TABLE mailed;
DROP TABLE past;
