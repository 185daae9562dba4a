-- +goose Up
-- Studies that their maker lets persons of the house look at, each of whom has them in their list. No log and no record has it.

CREATE TABLE shared_with (
    at_table BLOB NOT NULL CHECK (length(at_table) = 16),
    maker    BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    person   BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    PRIMARY KEY (at_table, person)
) STRICT, WITHOUT ROWID;

CREATE INDEX shared_with_person ON shared_with (person);
CREATE INDEX shared_with_maker ON shared_with (maker);

-- +goose Down
DROP TABLE shared_with;
