-- +goose Up
-- A keyed digest of what an answered mail said, if a program may have written it: only programs say the same again and again.
-- expands: a column with a default, and indexes
ALTER TABLE reply ADD COLUMN same TEXT NOT NULL DEFAULT '';
CREATE INDEX reply_same ON reply (same, person, made) WHERE same <> '';
CREATE INDEX reply_asked ON reply (person, table_name, made) WHERE outcome = 'asked';

-- +goose Down
DROP INDEX reply_asked;
DROP INDEX reply_same;
ALTER TABLE reply DROP COLUMN same;
