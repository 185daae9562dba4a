-- +goose Up
-- Whose log this is: a name that people.db knows too, and a fingerprint of the server's key
-- that seals its secret parts. Both stay as they were written.

CREATE TABLE house (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    name BLOB NOT NULL CHECK (length(name) = 16),
    key  BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER house_stays BEFORE UPDATE ON house BEGIN
    SELECT RAISE(ABORT, 'whose log this is never changes');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER house_remains BEFORE DELETE ON house BEGIN
    SELECT RAISE(ABORT, 'whose log this is never changes');
END;
-- +goose StatementEnd
