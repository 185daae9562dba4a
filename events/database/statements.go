package database

import (
	"context"
	"database/sql"
	"sync"
)

// mostStatements is how many statements are kept: more than any part of the house has.
const mostStatements = 200

// Statements is a database that prepares each query once and keeps it.
type Statements struct {
	*sql.DB
	mu   sync.Mutex
	kept map[string]*sql.Stmt
}

// Prepared returns a database that keeps its queries.
func Prepared(db *sql.DB) *Statements { return &Statements{DB: db, kept: map[string]*sql.Stmt{}} }

// QueryContext runs a query, and keeps it prepared.
func (s *Statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if st := s.statement(ctx, query); st != nil {
		return st.QueryContext(ctx, args...)
	}
	return s.DB.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query of one row, and keeps it prepared.
func (s *Statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if st := s.statement(ctx, query); st != nil {
		return st.QueryRowContext(ctx, args...)
	}
	return s.DB.QueryRowContext(ctx, query, args...)
}

// statement returns a query, prepared; nil if preparing fails, since running it reports that better, or if too many
// are kept.
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
		_ = st.Close() // together with its connections
	}
	clear(s.kept)
	return s.DB.Close()
}
