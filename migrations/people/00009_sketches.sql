-- +goose Up
-- What somebody tries on a copy of a table's game while they wait, sealed with their key. No log and no
-- record has it.

CREATE TABLE sketches (
    person   BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    at_table BLOB NOT NULL CHECK (length(at_table) = 16),
    sketch   BLOB NOT NULL,
    revision INTEGER NOT NULL, -- counts what was kept in its place
    PRIMARY KEY (person, at_table)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE sketches;
