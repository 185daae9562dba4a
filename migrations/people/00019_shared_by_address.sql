-- +goose Up
-- Studies that their maker shares with whoever has an address. The maker sees the address as they typed it, and so
-- learns nothing about who has it.
-- expands: a table

CREATE TABLE shared_by_address (
    at_table BLOB NOT NULL CHECK (length(at_table) = 16),
    maker    BLOB NOT NULL REFERENCES people(id) ON DELETE CASCADE,
    mailbox  TEXT NOT NULL,
    typed    TEXT NOT NULL,
    PRIMARY KEY (at_table, mailbox)
) STRICT, WITHOUT ROWID;

CREATE INDEX shared_by_address_mailbox ON shared_by_address (mailbox);
CREATE INDEX shared_by_address_maker ON shared_by_address (maker);

-- +goose Down
DROP TABLE shared_by_address;
