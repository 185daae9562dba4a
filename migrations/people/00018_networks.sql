-- +goose Up
-- From which networks somebody has acted on pages lately, as keyed digests that differ from person to person: they hear
-- of one that is new while they are at home elsewhere. Withdrawing one's links forgets them.
-- expands: a table

CREATE TABLE networks (
    person  BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    network BLOB NOT NULL,
    seen    INTEGER NOT NULL, -- the day, since 1970
    PRIMARY KEY (person, network)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE networks;
