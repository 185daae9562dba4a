package imap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"

	"posthorn/mail"
	"posthorn/mail/reply"
)

// Bounds on what is fetched.
const (
	mostHeads = 500      // mails whose headers are fetched by one command
	mostHead  = 16 << 10 // octets of the headers that name recipients
	mostBody  = 1 << 20  // octets of a mail of this house, as much as the other doors keep
)

// overlap is how far before the last look a folder is searched whose numbers are no longer valid: the server knows
// days, and its clock may differ.
const overlap = 24 * time.Hour

// againAfter is how long a mail waits that could not be taken, after each try; later ones wait as long as the last.
var againAfter = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute}

// folder is the folder that mails come into, over one connection.
type folder struct {
	*Fetcher
	*session
	from    uint32           // the UID up to which everything was looked at
	earlier []uint32         // UIDs up to that, which were not
	waiting map[uint32]*ours // mails of this house that are not taken yet
	marked  mail.Fetched     // what is noted
	silent  bool             // the server does not tell of new mails, although it says so
}

// ours is a mail of this house.
type ours struct {
	uid   uint32
	rcpts []string
	tries int
	due   time.Time
}

// begins finds out where to go on. A folder that was never read begins with what comes from now on: who names an old
// mailbox wants none of its old mails answered.
func (b *folder) begins(ctx context.Context) error {
	next := uint32(b.opened.UIDNext)
	if next == 0 { // an old server: the last mail's, and one more
		var all imap.UIDSet
		all.AddRange(0, 0)
		last, err := b.search(ctx, &imap.SearchCriteria{UID: []imap.UIDSet{all}})
		if err != nil {
			return err
		}
		next = 1
		if len(last) > 0 {
			next += slices.Max(last)
		}
	}
	m, ok, err := b.Marks.Fetched(ctx, b.Account.name())
	if err != nil {
		return err
	}
	b.from, b.marked = next-1, m
	switch {
	case !ok:
		b.Log.Info("the mailbox is read from now on; the mails that lie in it already are left alone", "mails",
			b.opened.NumMessages)
	case m.Validity == b.opened.UIDValidity:
		b.from = m.UID
	default:
		b.Log.Warn("the mailbox numbers its mails anew; those since the last look are looked at again")
		b.earlier, err = b.search(ctx, &imap.SearchCriteria{Since: m.At.Add(-overlap)})
	}
	return err
}

// name names the folder among those that are read.
func (a Account) name() string { return a.User + " " + a.at + " " + a.Folder }

func (b *folder) search(ctx context.Context, what *imap.SearchCriteria) (out []uint32, err error) {
	err = b.does(ctx, func() error {
		found, err := b.client.UIDSearch(what, nil).Wait()
		if err == nil {
			for _, uid := range found.AllUIDs() {
				out = append(out, uint32(uid))
			}
		}
		return err
	})
	return out, judged(ErrBusy, err, "")
}

// sweeps looks at all new mails, takes those of this house, and notes how far it has come. found is how many were new.
func (b *folder) sweeps(ctx context.Context) (found int, err error) {
	select {
	case <-b.came: // what came before this look
	default:
	}
	var above imap.UIDSet
	above.AddRange(imap.UID(b.from+1), 0)
	after, err := b.search(ctx, &imap.SearchCriteria{UID: []imap.UIDSet{above}})
	if err != nil {
		return 0, err
	}
	// "5:*" names the last mail even if that is number 3
	after = slices.DeleteFunc(after, func(uid uint32) bool { return uid <= b.from })
	news := slices.Concat(b.earlier, after)
	slices.Sort(news)
	for chunk := range slices.Chunk(slices.Compact(news), mostHeads) {
		if err := b.heads(ctx, chunk); err != nil {
			return found, err
		}
		if err := b.takes(ctx); err != nil {
			return found, err
		}
		found += len(chunk)
		b.from = max(b.from, chunk[len(chunk)-1])
		if b.earlier = slices.DeleteFunc(b.earlier, func(uid uint32) bool { return uid <= chunk[len(chunk)-1] }); len(
			b.earlier) == 0 {
			if err := b.mark(ctx); err != nil {
				return found, err
			}
		}
	}
	if err := b.takes(ctx); err != nil {
		return found, err
	}
	b.earlier = nil
	return found, b.mark(ctx)
}

// heads finds out which of some mails are of this house.
func (b *folder) heads(ctx context.Context, uids []uint32) error {
	var set imap.UIDSet
	for _, uid := range uids {
		set.AddNum(imap.UID(uid))
	}
	head := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, HeaderFields: recipients, Peek: true,
		Partial: &imap.SectionPartial{Size: mostHead}}
	found := 0
	err := b.does(ctx, func() error {
		all, err := b.client.Fetch(set, &imap.FetchOptions{UID: true,
			BodySection: []*imap.FetchItemBodySection{head}}).Collect()
		for _, m := range all {
			if len(m.BodySection) == 0 {
				continue
			}
			if rcpts := b.rcpts(m.BodySection[0].Bytes); len(rcpts) > 0 && b.waiting[uint32(m.UID)] == nil {
				b.waiting[uint32(m.UID)] = &ours{uid: uint32(m.UID), rcpts: rcpts, due: b.Now()}
				found++
			}
		}
		return err
	})
	b.noted(func(s *Standing) { s.Others += uint64(max(0, len(uids)-found)) })
	return judged(ErrBusy, err, "")
}

// recipients are the headers that say whom a mail is for: those that providers add, and those of the mail itself.
var recipients = []string{"Delivered-To", "X-Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc"}

// rcpts lists the addresses of this house that a mail's headers name.
func (b *folder) rcpts(raw []byte) (out []string) {
	head, err := reply.ReadHead(raw)
	if err != nil {
		return nil
	}
	for _, name := range recipients {
		for _, a := range head.Addresses(name) {
			if b.Takers.Takes(a) && !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// takes takes the mails of this house that are due, in their order.
func (b *folder) takes(ctx context.Context) error {
	for _, uid := range slices.Sorted(maps.Keys(b.waiting)) {
		o := b.waiting[uid]
		if o.due.After(b.Now()) {
			continue
		}
		taken, err := b.takesOne(ctx, o)
		if err != nil {
			return err
		}
		if taken {
			delete(b.waiting, uid)
			b.noted(func(s *Standing) { s.Ours++ })
			continue
		}
		o.due = b.Now().Add(againAfter[min(o.tries, len(againAfter)-1)])
		o.tries++
	}
	b.noted(func(s *Standing) { s.Waiting = len(b.waiting) })
	return ctx.Err()
}

// takesOne hands a mail over and puts it away. It is put away first and noted then, so that one which was handed over
// when the program stopped is handed over again: that does nothing.
func (b *folder) takesOne(ctx context.Context, o *ours) (taken bool, err error) {
	raw, err := b.whole(ctx, o.uid)
	if err != nil || raw == nil {
		return raw == nil, err // somebody else has put it away
	}
	sender := envelopeSender(raw)
	for _, rcpt := range o.rcpts {
		if b.Takers.Take(rcpt, sender, raw) != nil {
			return false, nil // it says why
		}
	}
	return true, b.putsAway(ctx, o.uid)
}

// whole fetches a mail; nil if it has gone.
func (b *folder) whole(ctx context.Context, uid uint32) (raw []byte, err error) {
	body := &imap.FetchItemBodySection{Peek: true, Partial: &imap.SectionPartial{Size: mostBody}}
	err = b.does(ctx, func() error {
		all, err := b.client.Fetch(imap.UIDSetNum(imap.UID(uid)), &imap.FetchOptions{UID: true,
			BodySection: []*imap.FetchItemBodySection{body}}).Collect()
		if err == nil && len(all) > 0 && len(all[0].BodySection) > 0 {
			raw = all[0].BodySection[0].Bytes
			raw = raw[:min(len(raw), mostBody)]
		}
		return err
	})
	return raw, judged(ErrBusy, err, "")
}

// envelopeSender returns the envelope's sender, as the provider notes it: "" for a mail that must not be answered. A
// provider that notes none leaves the mail's own word.
func envelopeSender(raw []byte) string {
	head, err := reply.ReadHead(raw)
	if err != nil {
		return ""
	}
	fields := head.Fields()
	if noted := fields.Values("Return-Path"); len(noted) > 0 {
		return strings.Trim(strings.TrimSpace(noted[0]), "<>")
	}
	return cmp.Or(append(head.From(), "")...)
}

// putsAway puts a handled mail into the folder for those. What the server does not let it do, it says, and leaves the
// mail: it is handled.
func (b *folder) putsAway(ctx context.Context, uid uint32) error {
	to := b.Account.Handled
	if to == "" {
		return nil
	}
	one := imap.UIDSetNum(imap.UID(uid))
	err := b.does(ctx, func() error {
		if !b.moves() {
			return b.client.Store(one, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true,
				Flags: []imap.Flag{imap.FlagSeen}}, nil).Close()
		}
		err := b.moveTo(one, to)
		if said := (*imap.Error)(nil); errors.As(err, &said) && said.Type == imap.StatusResponseTypeNo {
			// the folder may be missing; servers say so in different ways
			if made := b.client.Create(to, nil).Wait(); made != nil {
				return err
			}
			err = b.moveTo(one, to)
		}
		return err
	})
	if said := (*imap.Error)(nil); errors.As(err, &said) {
		b.Log.Warn("a handled mail stays where it is: the server does not move it", "folder", to, "error", err)
		return nil
	}
	return judged(ErrBusy, err, "")
}

// moveTo moves a mail. Where the server has no command for it, each step waits for the one before: a mail whose copy
// failed must not be deleted.
func (b *folder) moveTo(one imap.UIDSet, to string) error {
	if b.has(imap.CapMove) {
		_, err := b.client.Move(one, to).Wait()
		return err
	}
	if _, err := b.client.Copy(one, to).Wait(); err != nil {
		return err
	}
	if err := b.client.Store(one, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true,
		Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
		return err
	}
	return b.client.UIDExpunge(one).Close()
}

// mark notes how far the folder is read: up to the first mail that waits.
func (b *folder) mark(ctx context.Context) error {
	m := mail.Fetched{Validity: b.opened.UIDValidity, UID: b.from, At: b.Now()}
	for uid := range b.waiting {
		m.UID = min(m.UID, uid-1)
	}
	if m.Validity == b.marked.Validity && m.UID == b.marked.UID && m.At.Sub(b.marked.At) < time.Hour {
		return nil
	}
	if err := b.Marks.SetFetched(ctx, b.Account.name(), m); err != nil {
		return fmt.Errorf("note how far the mailbox is read: %w", err)
	}
	b.marked = m
	return nil
}
