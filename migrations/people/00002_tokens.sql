-- +goose Up
-- What programs may do in a person's name. Only hashes of the tokens are kept.

CREATE TABLE tokens (
    hash     BLOB PRIMARY KEY CHECK (length(hash) = 32), -- SHA-256 of the token
    person   BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    label    TEXT NOT NULL,
    scope    TEXT NOT NULL CHECK (scope IN ('read', 'play')),
    at_table BLOB CHECK (length(at_table) = 16),         -- the one table it is good for; NULL for all
    created  INTEGER NOT NULL,
    expires  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_person ON tokens(person);

-- +goose Down
DROP TABLE tokens;
