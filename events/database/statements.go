package database

import (
	"context"
	"database/sql"
	"sync"
)

// mostStatements is how many statements are kept: more than any part of the house has.
const mostStatements = 200

// Statements is a database that prepares each query once, and keeps it.
type Statements struct {
	*sql.DB
	mu   sync.Mutex
	kept map[string]*sql.Stmt
}

// Prepared is a database whose queries are kept.
func Prepared(db *sql.DB) *Statements { return &Statements{DB: db, kept: map[string]*sql.Stmt{}} }

// QueryContext runs a query that is kept.
func (s *Statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if st := s.statement(ctx, query); st != nil {
		return st.QueryContext(ctx, args...)
	}
	return s.DB.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query of one row that is kept.
func (s *Statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if st := s.statement(ctx, query); st != nil {
		return st.QueryRowContext(ctx, args...)
	}
	return s.DB.QueryRowContext(ctx, query, args...)
}

// statement is a query, prepared; nil where it cannot be, which running it says better, or where too many are kept.
func (s *Statements) statement(ctx context.Context, query string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	st, ok := s.kept[query]
	if ok || len(s.kept) >= mostStatements {
		return st
	}
	st, err := s.PrepareContext(ctx, query)
	if err != nil {
		return nil
	}
	s.kept[query] = st
	return st
}

// Close closes the statements and the database.
func (s *Statements) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.kept {
		_ = st.Close() // with its connections
	}
	clear(s.kept)
	return s.DB.Close()
}
