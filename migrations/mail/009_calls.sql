-- +goose Up
-- What is posted to addresses of people's own (webhooks): one row for each address and notice, for ever.
CREATE TABLE call (
  id       INTEGER PRIMARY KEY,
  key      TEXT NOT NULL UNIQUE,
  hook     TEXT NOT NULL,
  notice   BLOB,              -- JSON, sealed; wiped once it is over
  state    TEXT NOT NULL,     -- 'new', 'sent', 'dropped', 'failed'
  not_before INTEGER NOT NULL, -- milliseconds
  due      INTEGER NOT NULL,  -- the same, or later after a failure
  made     INTEGER NOT NULL,
  note     TEXT NOT NULL DEFAULT ''
);
CREATE INDEX call_due ON call (hook, due) WHERE state = 'new';

-- How an address fares.
CREATE TABLE hook_fare (
  hook    TEXT PRIMARY KEY,
  done    INTEGER NOT NULL DEFAULT 0, -- when something was taken last
  failing INTEGER NOT NULL DEFAULT 0, -- since when nothing is; 0 while it is
  tries   INTEGER NOT NULL DEFAULT 0, -- since then
  why     TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

-- +goose Down
DROP TABLE call;
DROP TABLE hook_fare;
