-- +goose Up
-- When people are to be reminded of what has a deadline, milliseconds: when half of its time has passed, and when a tenth
-- is left; NULL for not.
ALTER TABLE awaited ADD COLUMN half INTEGER;
ALTER TABLE awaited ADD COLUMN tenth INTEGER;
CREATE INDEX awaited_by_half ON awaited (half) WHERE half IS NOT NULL;
CREATE INDEX awaited_by_tenth ON awaited (tenth) WHERE tenth IS NOT NULL;
