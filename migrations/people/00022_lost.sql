-- +goose Up
-- Who says that they can no longer read the mails to any of their addresses, where mails shall go, and which of the
-- people whom they play with have said that it is them.
-- expands: two tables. An older program leaves them as they are, and gives nobody another address by them.

CREATE TABLE lost (
    person   BLOB PRIMARY KEY REFERENCES people(id) ON DELETE CASCADE,
    mailbox  TEXT NOT NULL,
    address  TEXT NOT NULL,              -- where mails shall go
    language TEXT NOT NULL,
    asked    INTEGER NOT NULL,           -- when the others were asked, milliseconds
    ended    INTEGER NOT NULL DEFAULT 0  -- when it came to nothing; 0 while it may come to something
) STRICT;

CREATE TABLE vouched (
    person BLOB NOT NULL REFERENCES lost(person) ON DELETE CASCADE,
    by     BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    PRIMARY KEY (person, by)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE vouched;
DROP TABLE lost;
