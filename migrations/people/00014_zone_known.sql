-- +goose Up
-- Whether a person's zone and nights are known: they have set them, or a browser of theirs told the zone. Until then they
-- are in UTC, without nights, and the first browser that tells its zone sets them.
-- expands: a column that fills itself. An older program that sets a zone or nights leaves it as it is, so whoever is
-- not in UTC without nights is known, too.

ALTER TABLE people ADD COLUMN zone_known INTEGER NOT NULL DEFAULT 0 CHECK (zone_known IN (0, 1));

-- +goose Down
ALTER TABLE people DROP COLUMN zone_known;
