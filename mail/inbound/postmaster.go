package inbound

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Postmaster keeps the mails to postmaster and abuse, which whoever takes mail from anybody takes, too (RFC 5321,
// section 4.5.1; RFC 2142), as files for the host. It passes none on: sent onwards, what strangers wrote would look
// forged, and be this house's.
type Postmaster struct {
	Domains []string // of the house's addresses
	Dir     string   // made when the first comes
	Log     *slog.Logger
	Now     func() time.Time

	mu   sync.Mutex
	told time.Time
}

// mostForHost is how many of these mails are kept, the latest.
const mostForHost = 100

// Takes reports whether an address is one of the two.
func (p *Postmaster) Takes(rcpt string) bool {
	local, domain, _ := strings.Cut(strings.ToLower(rcpt), "@")
	return (local == "postmaster" || local == "abuse") && slices.ContainsFunc(p.Domains, func(d string) bool {
		return strings.EqualFold(d, domain)
	})
}

// Handle keeps a mail. The log tells the host of it, once an hour at most.
func (p *Postmaster) Handle(_ context.Context, _, _ string, raw []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, sum := p.Now().UTC(), sha256.Sum256(raw)
	path := filepath.Join(p.Dir, now.Format("2006-01-02T150405")+"-"+hex.EncodeToString(sum[:4])+".eml")
	err := os.MkdirAll(p.Dir, 0o700)
	if err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err != nil {
		return fmt.Errorf("a mail to the postmaster: %w", err)
	}
	if now.Sub(p.told) >= time.Hour {
		p.told = now
		p.Log.Warn("a mail to postmaster or abuse is kept for you", "file", path)
	}
	all, err := filepath.Glob(filepath.Join(p.Dir, "*.eml")) // sorted, so the oldest come first
	for _, old := range all[:max(0, len(all)-mostForHost)] {
		if err := os.Remove(old); err != nil {
			return fmt.Errorf("an old mail to the postmaster: %w", err)
		}
	}
	return err
}
