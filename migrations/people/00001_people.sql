-- +goose Up
-- Who is who, and what they may be sent. Times are milliseconds since 1970, ids and hashes
-- are blobs. No address is kept for people who are not here: only keyed digests.

CREATE TABLE people (
    id          BLOB PRIMARY KEY CHECK (length(id) = 16),
    name        TEXT NOT NULL,
    address     TEXT NOT NULL,
    mailbox     TEXT NOT NULL UNIQUE, -- the address as it is looked up
    language    TEXT NOT NULL,
    zone        TEXT NOT NULL,
    mails_off   TEXT NOT NULL DEFAULT '', -- kinds, one space between; '*' is all
    confirmed   INTEGER,
    created     INTEGER NOT NULL,
    text_key    BLOB NOT NULL,            -- sealed with the server's key
    pass_epoch  INTEGER NOT NULL DEFAULT 0,
    host        INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    hash     BLOB PRIMARY KEY CHECK (length(hash) = 32), -- SHA-256 of the cookie
    person   BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    label    TEXT NOT NULL,
    created  INTEGER NOT NULL,
    expires  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_person ON sessions(person);

CREATE TABLE links (
    hash     BLOB PRIMARY KEY CHECK (length(hash) = 32), -- SHA-256 of the token
    purpose  TEXT NOT NULL,
    address  TEXT NOT NULL,
    person   BLOB REFERENCES people(id) ON DELETE CASCADE, -- whose address is to change
    language TEXT NOT NULL,
    expires  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX links_expires ON links(expires);

-- What was allowed, for counting: who or what it counts for, as a keyed digest, and when.
CREATE TABLE grants (
    what    BLOB NOT NULL,
    granted INTEGER NOT NULL,
    expires INTEGER NOT NULL
) STRICT;
CREATE INDEX grants_what ON grants(what, granted);
CREATE INDEX grants_expires ON grants(expires);

-- Addresses, as keyed digests, that are never to be written to, and those that may open tables.
CREATE TABLE suppressed (
    mailbox BLOB PRIMARY KEY,
    since   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE openers (
    mailbox TEXT PRIMARY KEY,
    since   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE settings;
DROP TABLE openers;
DROP TABLE suppressed;
DROP TABLE grants;
DROP TABLE links;
DROP TABLE sessions;
DROP TABLE people;
