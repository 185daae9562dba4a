-- +goose Up
-- Addresses of people's own to which what their tables ask of them is posted. Address and secret are
-- sealed with the person's key.

CREATE TABLE hooks (
    id      BLOB PRIMARY KEY CHECK (length(id) = 16),
    person  BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    address BLOB NOT NULL,
    secret  BLOB NOT NULL,
    kinds   TEXT NOT NULL,              -- of what is posted, with spaces between
    created INTEGER NOT NULL,           -- milliseconds
    off     INTEGER NOT NULL DEFAULT 0, -- when it was given up; 0 while it is not
    why     TEXT NOT NULL DEFAULT ''    -- it was
) STRICT, WITHOUT ROWID;
CREATE INDEX hooks_person ON hooks(person);

-- A token may reach its person's settings, too.
CREATE TABLE tokens_new (
    hash     BLOB PRIMARY KEY CHECK (length(hash) = 32), -- SHA-256 of the token
    person   BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    label    TEXT NOT NULL,
    scope    TEXT NOT NULL CHECK (scope IN ('read', 'play', 'settings')),
    at_table BLOB CHECK (length(at_table) = 16),         -- the one table it is good for; NULL for all
    created  INTEGER NOT NULL,
    expires  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tokens_new SELECT hash, person, label, scope, at_table, created, expires FROM tokens;
DROP TABLE tokens;
ALTER TABLE tokens_new RENAME TO tokens;
CREATE INDEX tokens_person ON tokens(person);

-- +goose Down
DROP TABLE hooks;
DELETE FROM tokens WHERE scope = 'settings';
