-- +goose Up
-- All addresses of whoever has added one, each confirmed by a mail to it. Mails go to people.address; where that is not
-- here, it is theirs since they confirmed it first.
-- expands: a table. An older program knows people.address alone, and keeps the rest as it is.

CREATE TABLE addresses (
    mailbox TEXT PRIMARY KEY,           -- the address as it is looked up
    person  BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    since   INTEGER NOT NULL,           -- milliseconds
    until   INTEGER NOT NULL DEFAULT 0, -- it was removed, and signs in until then; 0 for one that stays
    failed  INTEGER NOT NULL DEFAULT 0  -- since when mails to it come back; 0 while they do not
) STRICT, WITHOUT ROWID;

CREATE INDEX addresses_person ON addresses (person);

-- +goose Down
DROP TABLE addresses;
