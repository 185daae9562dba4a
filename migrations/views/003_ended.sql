-- +goose Up
-- A person's list is read in parts: the tables that go on, and the latest of those that have ended.
ALTER TABLE places ADD COLUMN ended INTEGER NOT NULL DEFAULT 0; -- 1 if the table has ended
UPDATE places SET ended = 1 WHERE table_name IN (SELECT name FROM tables WHERE status = 'ended');
CREATE INDEX places_by_ended ON places (person, ended, table_name);
