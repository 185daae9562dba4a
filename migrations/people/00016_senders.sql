-- +goose Up
-- From which addresses a person's answers by mail come, as keyed digests, and which domain signs them there: one that
-- a proved or confirmed answer had. An empty domain: they say that nobody signs them.
-- expands: a table

CREATE TABLE senders (
    person  BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    address BLOB NOT NULL,
    domain  TEXT NOT NULL,
    PRIMARY KEY (person, address, domain)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE senders;
