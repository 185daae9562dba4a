-- +goose Up
CREATE TABLE checkpoint (one INTEGER PRIMARY KEY CHECK (one = 1), pos INTEGER NOT NULL);

CREATE TABLE outbox (
  id         INTEGER PRIMARY KEY,
  key        TEXT NOT NULL UNIQUE, -- one mail per (decision, head hash there, person, kind)
  kind       TEXT NOT NULL,        -- 'turn', 'consent', 'invitation', 'over', 'sign-in'
  person     TEXT NOT NULL,
  table_name TEXT NOT NULL,
  stream     TEXT NOT NULL,        -- where the decision is awaited: a line, or the table
  seat       INTEGER NOT NULL,
  decision   TEXT NOT NULL,
  serial     INTEGER NOT NULL,
  since      INTEGER NOT NULL,
  head       TEXT NOT NULL,        -- of the chain at since
  secret     BLOB,                 -- what only this mail needs (a sign-in token), sealed
  state      TEXT NOT NULL,        -- 'new', 'composed', 'sending', 'sent', 'dropped', 'failed'
  message_id TEXT NOT NULL DEFAULT '',
  bytes      BLOB,                 -- recipient and message, sealed; wiped once sent
  attempts   INTEGER NOT NULL DEFAULT 0,
  due        INTEGER NOT NULL,     -- milliseconds: not before
  note       TEXT NOT NULL DEFAULT '', -- the server's last answer, or why it was dropped
  made       INTEGER NOT NULL,
  done       INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX outbox_due ON outbox (due) WHERE state IN ('new', 'composed', 'sending');
CREATE INDEX outbox_by_table ON outbox (table_name, person);

-- Invitations that are not to be mailed: one row takes one away.
CREATE TABLE withheld (id INTEGER PRIMARY KEY, person TEXT NOT NULL);
CREATE INDEX withheld_by_person ON withheld (person);
