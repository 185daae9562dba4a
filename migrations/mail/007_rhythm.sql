-- +goose Up
-- When somebody was mailed last, and what waits for them.
CREATE INDEX outbox_by_person ON outbox (person, state, done);

-- +goose Down
DROP INDEX outbox_by_person;
