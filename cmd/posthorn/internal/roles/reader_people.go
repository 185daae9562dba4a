package roles

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"posthorn/events"
	"posthorn/events/copies"
	"posthorn/events/people"
	"posthorn/events/watch"
	"posthorn/mail"
)

// readerDir is the folder for a reader's copy of people.db. It is separate, so that a folder that once wrote keeps its
// own.
const readerDir = "reader"

// openPeople opens the copy from this server's last run, or an empty one.
func (r *reading) openPeople(ctx context.Context) (err error) {
	h, dir := r.house, filepath.Join(r.cfg.Data, readerDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the copy of people.db: %w", err)
	}
	if h.People, err = people.Open(ctx, filepath.Join(dir, "people.db"), r.keys,
		people.Options{Signup: people.Signup(h.Config.Signup), Seated: h.Views.Seated,
			MailKinds: mail.Switches(), PostedKinds: mail.Posted()}); err != nil {
		return fmt.Errorf("the copy of people.db cannot be read; delete the folder %s, and it is fetched anew: %w", dir,
			err)
	}
	h.Closers = append(h.Closers, h.People)
	h.Desk.KeepTime(h.People.Calendars)
	h.Desk.Bar(h.People.Banned)
	somebody, err := h.People.Anybody(ctx)
	if err == nil {
		err = r.forget(ctx)
	}
	r.knows.Store(somebody)
	return err
}

// keepsPeople replaces the copy of people.db with each newer one from the cluster, until the context ends.
func (r *reading) keepsPeople(ctx context.Context) error {
	var have copies.Version
	for pause := standLook; watch.Pause(ctx, pause) == nil; {
		pause = standLook
		err := r.newest.log(ctx, r.file, r.keys)
		var newest copies.Version
		if err == nil {
			_, newest, err = r.newest.look(ctx)
		}
		if err == nil && newest == have {
			continue
		}
		began := time.Now()
		if err == nil {
			newest, err = r.fetchPeople(ctx)
			pause = rests(time.Since(began), err != nil)
		}
		switch {
		case err == nil:
			have = newest
		case errors.Is(err, copies.ErrSealed):
			return fmt.Errorf("the cluster is of another house, or server.key is not the one of this house: %w", err)
		case ctx.Err() == nil:
			r.trouble(err)
		}
	}
	return ctx.Err()
}

// fetchPeople fetches the newest copy. It removes people who were forgotten since, before anybody sees the copy.
func (r *reading) fetchPeople(ctx context.Context) (copies.Version, error) {
	c, err := fetchedCopy(ctx, r.newest, r.unfetched)
	if err != nil {
		return c.Version, err
	}
	dir := filepath.Join(r.cfg.Data, carryDir)
	r.copied <- struct{}{}
	defer func() { <-r.copied }()
	err = r.house.People.Replace(ctx, filepath.Join(dir, "people.db"))
	if err == nil {
		err = r.forget(ctx)
	}
	r.knows.Store(err == nil)
	return c.Version, errors.Join(err, os.RemoveAll(dir))
}

// forgets removes each person from the copy as soon as the log says that they are forgotten.
func (r *reading) forgets(ctx context.Context) error {
	last, err := r.file.Last(ctx)
	if err != nil {
		return err
	}
	return r.house.Follower.Follow(ctx, last, func(ctx context.Context, recs []events.Record) error {
		if slices.ContainsFunc(recs, func(rec events.Record) bool { return rec.Type == events.TypeForgotten }) {
			return r.forget(ctx)
		}
		return nil
	})
}

func (r *reading) forget(ctx context.Context) error {
	gone, err := r.house.Desk.Forgotten(ctx)
	if err != nil {
		return err
	}
	for _, id := range gone {
		if _, err := r.house.People.Person(ctx, id); errors.Is(err, people.ErrNobody) {
			continue
		}
		if err := r.house.People.Forget(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
