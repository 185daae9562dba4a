-- +goose Up
-- Where a branch forked from, as its opening says it; '' for what is none, and for rows from before.
ALTER TABLE tables ADD COLUMN fork TEXT NOT NULL DEFAULT '';
