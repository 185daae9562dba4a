-- +goose Up
-- Answers by mail that nothing proves to be their person's, sealed, until that person says so: one a decision.
-- expands: a table
CREATE TABLE held (
  person TEXT NOT NULL,
  stream TEXT NOT NULL,
  seat   INTEGER NOT NULL,
  since  INTEGER NOT NULL,
  key    TEXT NOT NULL,    -- of the mail, as in reply
  answer BLOB NOT NULL,
  made   INTEGER NOT NULL, -- milliseconds
  PRIMARY KEY (person, stream, seat, since)
) WITHOUT ROWID;
CREATE INDEX held_by_made ON held (made);

-- +goose Down
DROP TABLE held;
