-- +goose Up
-- Up to which version of its table a person has been told in mails what people did and said there.
-- NULL: a thread from before this was kept.
ALTER TABLE thread ADD COLUMN told INTEGER;

-- +goose Down
ALTER TABLE thread DROP COLUMN told;
