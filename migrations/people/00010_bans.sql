-- +goose Up
-- Who may not come in, by their person and by a keyed digest of their address, which stays when they are
-- forgotten. The reason is sealed with their key, for those who run the house.

CREATE TABLE bans (
    mailbox BLOB PRIMARY KEY,
    person  BLOB UNIQUE REFERENCES people(id) ON DELETE SET NULL,
    since   INTEGER NOT NULL,
    reason  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE bans;
