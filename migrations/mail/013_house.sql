-- +goose Up
-- Whose queue this is, by the name of the house's log ('' if that is not known yet), and whether it was made anew beside an
-- older log: then nobody has been written to about what was open.
-- expands: a table
CREATE TABLE house (one INTEGER PRIMARY KEY CHECK (one = 1), log TEXT NOT NULL, anew INTEGER NOT NULL);

-- +goose Down
DROP TABLE house;
