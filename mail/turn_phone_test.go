package mail_test

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/domain"
	"posthorn/domain/rulebooks"
	"posthorn/events"
	"posthorn/events/programtest"
	"posthorn/mail"
)

// measured is where things stand in a mail that is open on a phone, in pixels from its top.
type measured struct {
	Rows   []float64 // the feet of the moves, and of the way to all others
	Height float64   // of the whole mail
	Wide   float64   // how much wider than the phone it is

	Presses []float64 // the feet of the buttons that answer what it asks
}

const measures = `(() => ({
	Rows: [...document.querySelectorAll("table.row")].map(e => e.getBoundingClientRect().bottom),
	Presses: [...document.querySelectorAll("td.act, td.row")].map(e => e.getBoundingClientRect().bottom),
	Height: document.querySelector(".paper").getBoundingClientRect().bottom,
	Wide: document.documentElement.scrollWidth - innerWidth,
}))()`

// ordinary are the decisions that a game's players make most.
var ordinary = map[string]string{"carcassonne": "await.turn", "catan": "await.turn.main",
	"rivals": "await.turn.act"}

// phone is a browser as wide and as high as one.
type phone struct {
	t   *testing.T
	ctx context.Context
}

func newPhone(t *testing.T) phone {
	path := programtest.Chromium(t)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()))...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 844)))
	return phone{t, ctx}
}

// measures opens a mail and says where things stand in it.
func (f phone) measures(p mail.Parts) measured {
	f.t.Helper()
	file := filepath.Join(f.t.TempDir(), "mail.html")
	doc := p.HTML
	for id, b := range p.Pictures {
		doc = strings.ReplaceAll(doc, "cid:"+id, "data:image/png;base64,"+base64.StdEncoding.EncodeToString(b))
	}
	require.NoError(f.t, os.WriteFile(file, []byte(doc), 0o600))
	require.NoError(f.t, chromedp.Do(f.ctx, chromedp.Navigate("file://"+file), chromedp.WaitReady("body")))
	got, err := chromedp.Run(f.ctx, chromedp.Evaluate[measured](measures))
	require.NoError(f.t, err)
	return got
}

// Whoever is asked to agree, or to sit down, on a phone sees what to press without scrolling.
func TestAQuestionsButtonsOnAPhone(t *testing.T) {
	f := newPhone(t)
	for _, rb := range rulebooks.All() {
		for _, lang := range []string{"en", "pl"} {
			h := newHouse(t)
			ana, bo := h.person("Ana", "en"), h.person("Bo", lang)
			invites := h.open(rb.Name(), ana, "", invited(ana, bo)...)
			got := f.measures(parts(t, h.compose(invites, mail.KindInvitation, bo)))
			t.Logf("%s in %s invites: %+v", rb.Name(), lang, got)
			require.Len(t, got.Presses, 1)
			require.LessOrEqual(t, got.Presses[0], 553.0)

			table := h.started(rb.Name(), "", ana, bo)
			h.playRandom(table, h.awaited(table), 1)
			h.proposeRewind(ana, table, 1)
			got = f.measures(parts(t, h.compose(table, mail.KindConsent, bo)))
			t.Logf("%s in %s asks: %+v", rb.Name(), lang, got)
			require.Len(t, got.Presses, 2)
			require.LessOrEqual(t, got.Presses[1], 553.0)
			require.LessOrEqual(t, got.Wide, 0.0)
		}
	}
}

// On a phone, what is asked, what happened and the best moves of an ordinary turn stand in the upper two thirds of the
// first screen, and the whole mail is not much longer than another one.
func TestATurnMailOnAPhone(t *testing.T) {
	f := newPhone(t)
	for _, rb := range rulebooks.All() {
		for _, lang := range []string{"en", "pl"} {
			seen := 0
			wholeGame(t, rb, nil, lang, 1, func(h *house, table events.Name, to domain.PersonID) {
				line := h.Sees(table).Line
				if line.Version < 30 || seen > 0 ||
					domain.WhatIsAsked(rb, line.State, line.Awaited()[0].Decision) != ordinary[rb.Name()] {
					return
				}
				p := parts(t, h.compose(table, mail.KindTurn, to))
				if strings.Count(p.HTML, `class="row"`) < 4 {
					return // there is less to choose from
				}
				seen++
				got := f.measures(p)
				t.Logf("%s in %s: %+v", rb.Name(), lang, got)
				require.Len(t, got.Rows, 4)
				require.LessOrEqual(t, got.Rows[2], 553.0, "%s in %s", rb.Name(), lang)
				require.LessOrEqual(t, got.Height, 1300.0, "%s in %s", rb.Name(), lang)
				require.LessOrEqual(t, got.Wide, 0.0, "%s in %s", rb.Name(), lang)
			})
			require.Equal(t, 1, seen, rb.Name())
		}
	}
}
