-- +goose Up
-- To whom a mail goes that is about nobody of the house, such as a sign-in: a keyed digest of the address, so that a complaint counts.
-- expands: a column with a default, and its index
ALTER TABLE outbox ADD COLUMN mailbox TEXT NOT NULL DEFAULT '';
CREATE INDEX outbox_by_mailbox ON outbox (mailbox, done) WHERE mailbox <> '';

-- +goose Down
DROP INDEX outbox_by_mailbox;
ALTER TABLE outbox DROP COLUMN mailbox;
