-- +goose Up
-- The latest letter whose link a person pressed at a table: what a browser was lent by an older one is over. And how
-- their last move came in from a page, which their next letter says. The table browsers is no longer used.
-- expands: a table

CREATE TABLE presses (
    person   BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    at_table BLOB NOT NULL CHECK (length(at_table) = 16),
    letter   INTEGER NOT NULL DEFAULT 0, -- milliseconds: when what it is about came up
    browser  BLOB,                       -- where it was pressed first: SHA-256 of what that browser keeps
    first    INTEGER NOT NULL DEFAULT 0, -- when, in milliseconds
    moved    INTEGER NOT NULL DEFAULT 0, -- milliseconds
    way      TEXT NOT NULL DEFAULT '',
    device   TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (person, at_table)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE presses;
