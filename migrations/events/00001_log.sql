-- +goose Up
-- The log: what was written stays as it was written. The triggers refuse UPDATE, DELETE and,
-- on connections with recursive_triggers=ON, the DELETE inside INSERT OR REPLACE.

CREATE TABLE streams (
    id       INTEGER PRIMARY KEY,  -- what other rows call it; the name means the same on every server
    name     BLOB    NOT NULL UNIQUE CHECK (length(name) = 16),
    kind     TEXT    NOT NULL,
    rulebook TEXT    NOT NULL,
    tbl      INTEGER NOT NULL,     -- the stream of its table: its own id for a table, 0 for none
    parent   INTEGER NOT NULL,     -- the stream it forked from, 0 for none
    fork     INTEGER NOT NULL,     -- the parent's version it forked at
    origin   BLOB    NOT NULL CHECK (length(origin) = 32)
) STRICT;

CREATE INDEX streams_of_table ON streams (tbl);

CREATE TABLE events (
    pos     INTEGER PRIMARY KEY,   -- given by the one writer, without gaps
    stream  INTEGER NOT NULL,
    version INTEGER NOT NULL,
    tbl     INTEGER NOT NULL,      -- the stream's table: within it a command is unique for ever
    type    TEXT    NOT NULL,
    at      INTEGER NOT NULL,      -- milliseconds since 1970, UTC
    cmd     BLOB    NOT NULL CHECK (length(cmd) = 16),
    meta    BLOB    NOT NULL,
    codec   TEXT    NOT NULL,
    data    BLOB    NOT NULL,
    parts   INTEGER NOT NULL,      -- how many secret parts it has
    hash    BLOB    NOT NULL CHECK (length(hash) = 32),
    UNIQUE (stream, version),
    UNIQUE (tbl, cmd)
) STRICT;

CREATE TABLE parts (
    stream   INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    n        INTEGER NOT NULL,     -- from 0
    audience INTEGER NOT NULL,     -- a bit a seat
    digest   BLOB    NOT NULL CHECK (length(digest) = 32),
    sealed   BLOB    NOT NULL,
    PRIMARY KEY (stream, version, n)
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER streams_stay BEFORE UPDATE ON streams BEGIN
    SELECT RAISE(ABORT, 'streams are never changed');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER streams_remain BEFORE DELETE ON streams BEGIN
    SELECT RAISE(ABORT, 'streams are never deleted');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'events are never changed');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER events_remain BEFORE DELETE ON events BEGIN
    SELECT RAISE(ABORT, 'events are never deleted');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER parts_stay BEFORE UPDATE ON parts BEGIN
    SELECT RAISE(ABORT, 'parts are never changed');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER parts_remain BEFORE DELETE ON parts BEGIN
    SELECT RAISE(ABORT, 'parts are never deleted');
END;
-- +goose StatementEnd
