-- +goose Up
-- Mails that were answered to, each once: a keyed digest of the address and the mail.
CREATE TABLE reply (
  key        TEXT PRIMARY KEY,
  person     TEXT NOT NULL,
  table_name TEXT NOT NULL,
  outcome    TEXT NOT NULL,
  fruitless  INTEGER NOT NULL, -- 1 if it came to nothing: of those only some are answered
  made       INTEGER NOT NULL  -- milliseconds
) WITHOUT ROWID;
CREATE INDEX reply_fruitless ON reply (person, table_name, made) WHERE fruitless = 1;

-- A mail of ours that comes back to us goes in a circle.
CREATE INDEX outbox_by_message ON outbox (message_id) WHERE message_id <> '';
