-- +goose Up
-- How far each folder of a mailbox at a provider has been read: by a keyed digest of its name.
-- expands: a table
CREATE TABLE fetched (
  folder   TEXT PRIMARY KEY,
  validity INTEGER NOT NULL, -- UIDVALIDITY
  uid      INTEGER NOT NULL, -- the last that was looked at
  at       INTEGER NOT NULL  -- milliseconds
) WITHOUT ROWID;

-- +goose Down
DROP TABLE fetched;
