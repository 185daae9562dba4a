-- +goose Up
-- What came back of our letters: that one could not be delivered, or that its reader complains.
CREATE TABLE returns (
  letter INTEGER NOT NULL,
  person TEXT NOT NULL,    -- '' for a sign-in
  kind   TEXT NOT NULL,    -- 'hard', 'soft', 'policy', 'complaint'
  status TEXT NOT NULL,    -- of RFC 3463, or ''
  why    TEXT NOT NULL,    -- in the server's words, without addresses
  at     INTEGER NOT NULL, -- milliseconds
  PRIMARY KEY (letter, kind)
) WITHOUT ROWID;
CREATE INDEX returns_by_person ON returns (person, at);
