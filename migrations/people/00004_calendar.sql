-- +goose Up
-- When people have time to play. A night is in hours of their clock, from and to; the same twice is
-- none. Days off are those of the week that do not count for them, Sunday 0, no space between.

ALTER TABLE people ADD COLUMN night_from INTEGER NOT NULL DEFAULT 0 CHECK (night_from BETWEEN 0 AND 23);
ALTER TABLE people ADD COLUMN night_to INTEGER NOT NULL DEFAULT 0 CHECK (night_to BETWEEN 0 AND 23);
ALTER TABLE people ADD COLUMN days_off TEXT NOT NULL DEFAULT '';

-- Holidays: days since 1970, the last one included. None overlaps another.
CREATE TABLE holidays (
    person  BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    first   INTEGER NOT NULL,
    last    INTEGER NOT NULL CHECK (last >= first),
    PRIMARY KEY (person, first)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE holidays;
ALTER TABLE people DROP COLUMN days_off;
ALTER TABLE people DROP COLUMN night_to;
ALTER TABLE people DROP COLUMN night_from;
