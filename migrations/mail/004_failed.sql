-- +goose Up
-- What failed for good is listed, and can be sent again.
CREATE INDEX outbox_failed ON outbox (id) WHERE state = 'failed';
