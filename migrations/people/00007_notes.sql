-- +goose Up
-- What somebody notes for themselves at a table, sealed with their key. Nobody else's record has it.

CREATE TABLE notes (
    person   BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    at_table BLOB NOT NULL CHECK (length(at_table) = 16),
    note     BLOB NOT NULL,
    PRIMARY KEY (person, at_table)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE notes;
