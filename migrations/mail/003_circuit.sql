-- +goose Up
-- Since when the next server takes no mail at all, and why: one row while the queue waits as a whole.
CREATE TABLE circuit (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  since INTEGER NOT NULL, -- milliseconds
  why   TEXT NOT NULL,    -- without addresses
  tries INTEGER NOT NULL,
  next  INTEGER NOT NULL  -- milliseconds: when it is tried again
);

-- When something first went wrong with a letter itself, in milliseconds; 0 if nothing has.
ALTER TABLE outbox ADD COLUMN tried INTEGER NOT NULL DEFAULT 0;

-- Sign-ins go first.
CREATE INDEX outbox_next ON outbox (kind <> 'sign-in', due, id) WHERE state IN ('new', 'composed', 'sending');
