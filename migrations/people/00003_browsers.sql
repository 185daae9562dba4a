-- +goose Up
-- In which browsers a person's links were used, so that a new one is told to them.
CREATE TABLE browsers (
    person BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    hash   BLOB NOT NULL CHECK (length(hash) = 32), -- SHA-256 of what the browser keeps
    first  INTEGER NOT NULL,
    PRIMARY KEY (person, hash)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE browsers;
