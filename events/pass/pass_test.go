package pass

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain"
	"posthorn/events"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func keys(t require.TestingT, seed byte) *events.Keys {
	k, err := events.NewKeys([32]byte{seed})
	require.NoError(t, err)
	return k
}

func turn() Facts {
	return Facts{
		Purpose: Play, Person: "00112233445566778899aabbccddeeff", Stream: events.Name{1, 2, 3}, Seat: 2,
		Kind: "discard", Serial: 41,
		Since: 12345, At: MarkOf(events.Hash{9, 8, 7, 6, 5, 4, 3, 2, 1}), Epoch: 3,
	}
}

func drawFacts(t *rapid.T) Facts {
	f := Facts{
		Purpose: Purpose(rapid.IntRange(int(Play), int(Withdraw)).Draw(t, "purpose")),
		Seat:    domain.Seat(rapid.IntRange(0, domain.MaxSeats-1).Draw(t, "seat")),
		Kind:    rapid.StringMatching(`[a-z-]{0,31}`).Draw(t, "kind"),
		Serial:  rapid.IntRange(0, math.MaxInt32).Draw(t, "serial"),
		Since:   rapid.Uint64().Draw(t, "since"),
	}
	if rapid.Bool().Draw(t, "of somebody") {
		f.Person = domain.PersonID(rapid.StringMatching(`[0-9a-f]{32}`).Draw(t, "person"))
		f.Epoch = rapid.Uint32().Draw(t, "epoch")
	}
	copy(f.Stream[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "stream"))
	copy(f.At[:], rapid.SliceOfN(rapid.Byte(), 8, 8).Draw(t, "mark"))
	if rapid.Bool().Draw(t, "expires") {
		f.Expires = now.Add(time.Duration(rapid.IntRange(1, 1<<20).Draw(t, "minutes")) * time.Minute)
	}
	return f
}

func TestAPassSaysWhatItWasMadeFrom(t *testing.T) {
	m := New(keys(t, 1))
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		token, err := m.Make(f)
		require.NoError(t, err)
		again, err := m.Make(f)
		require.NoError(t, err)
		require.Equal(t, token.Text(), again.Text())
		require.Regexp(t, `^[A-Za-z0-9_-]{1,160}$`, token.Text())
		got, err := m.Read(token.Text(), now)
		require.NoError(t, err)
		require.Equal(t, f, got)
	})
}

func TestWhatAPassIsAboutIsKeptThoughTheRestIsEmpty(t *testing.T) {
	m := New(keys(t, 1))
	for name, f := range map[string]Facts{
		"nothing": {}, "a person": {Person: turn().Person}, "a stream": {Stream: events.Name{1}},
		"the last seat":   {Seat: domain.MaxSeats - 1},
		"the second seat": {Seat: 1}, "a kind": {Kind: "k"}, "the longest kind": {Kind: strings.Repeat("k", maxKind)},
		"a serial":  {Serial: 1},
		"a version": {Since: 1}, "a mark": {At: Mark{7: 1}}, "an epoch": {Person: turn().Person, Epoch: 1},
	} {
		for f.Purpose = Play; f.Purpose <= Join; f.Purpose++ {
			token, err := m.Make(f)
			require.NoError(t, err, name)
			got, err := m.Read(token.Text(), now)
			require.NoError(t, err, name)
			require.Equal(t, f, got, name)
		}
	}
}

func TestAnExpiryIsRoundedUpToTheMinute(t *testing.T) {
	m := New(keys(t, 1))
	f := turn()
	f.Expires = now.Add(time.Second)
	token, err := m.Make(f)
	require.NoError(t, err)
	got, err := m.Read(token.Text(), now.Add(time.Minute))
	require.NoError(t, err)
	require.Equal(t, now.Add(time.Minute), got.Expires)
	got, err = m.Read(token.Text(), now.Add(time.Minute+time.Millisecond))
	require.ErrorIs(t, err, ErrExpired)
	require.Equal(t, f.Stream, got.Stream)
}

func TestATurnsLinkIsShort(t *testing.T) {
	m := New(keys(t, 1))
	f := turn()
	f.Kind, f.Expires = "fifteen-octets-", now
	token, err := m.Make(f)
	require.NoError(t, err)
	require.LessOrEqual(t, len(token.Text()), 110)
}

func TestEveryAlteredBitIsRefused(t *testing.T) {
	m := New(keys(t, 1))
	token, err := m.Make(turn())
	require.NoError(t, err)
	raw, err := base64.RawURLEncoding.DecodeString(token.Text())
	require.NoError(t, err)
	for i := range len(raw) * 8 {
		altered := bytes.Clone(raw)
		altered[i/8] ^= 1 << (i % 8)
		_, err := m.Read(base64.RawURLEncoding.EncodeToString(altered), now)
		require.ErrorIs(t, err, ErrPass, "bit %d", i)
	}
	for i := range token.Text() { // other spellings of the same bytes, too
		for _, c := range "AZaz09-_=. +" {
			altered := token.Text()[:i] + string(c) + token.Text()[i+1:]
			if altered != token.Text() {
				_, err := m.Read(altered, now)
				require.ErrorIs(t, err, ErrPass, altered)
			}
		}
	}
	for _, text := range []string{"", "x", token.Text() + "A", token.Text()[1:], token.Text() + "=",
		token.Text() + "\n", "\n" + token.Text()} {
		_, err := m.Read(text, now)
		require.ErrorIs(t, err, ErrPass, "%q", text)
	}
}

func TestPassesOfOnePurposeAreNotTakenForAnother(t *testing.T) {
	m := New(keys(t, 1))
	seen := map[string]Purpose{}
	for p := Play; p <= Join; p++ {
		f := turn()
		f.Purpose = p
		token, err := m.Make(f)
		require.NoError(t, err)
		got, err := m.Read(token.Text(), now)
		require.NoError(t, err)
		require.Equal(t, p, got.Purpose)
		require.Zero(t, seen[token.Text()])
		seen[token.Text()] = p
	}
}

func TestPassesOfAnotherKeyAreRefused(t *testing.T) {
	token, err := New(keys(t, 1)).Make(turn())
	require.NoError(t, err)
	_, err = New(keys(t, 2)).Read(token.Text(), now)
	require.ErrorIs(t, err, ErrPass)
}

type epochs map[domain.PersonID]uint32

func (e epochs) PassEpoch(_ context.Context, id domain.PersonID) (uint32, error) {
	n, ok := e[id]
	if !ok {
		return 0, errors.New("nobody")
	}
	return n, nil
}

func TestAWithdrawnPassDoesNotOpen(t *testing.T) {
	m := New(keys(t, 1))
	f := turn()
	token, err := m.Make(f)
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		epochs epochs
		want   error
	}{
		"as it was":         {epochs{f.Person: 3}, nil},
		"withdrawn":         {epochs{f.Person: 4}, ErrRevoked},
		"before its time":   {epochs{f.Person: 2}, ErrRevoked},
		"of somebody gone":  {epochs{}, ErrRevoked},
		"of somebody other": {epochs{"x": 3}, ErrRevoked},
	} {
		got, err := m.Open(context.Background(), token.Text(), now, tc.epochs)
		require.ErrorIs(t, err, tc.want, name)
		require.Equal(t, f, got, name)
	}
	stop, err := m.Make(Facts{Purpose: Unsubscribe, Person: f.Person})
	require.NoError(t, err)
	_, err = m.Open(context.Background(), stop.Text(), now, epochs{f.Person: 9})
	require.ErrorIs(t, err, ErrRevoked, "whoever withdraws their links withdraws those that stop mails, too")
	_, err = m.Open(context.Background(), stop.Text()+"x", now, epochs{})
	require.ErrorIs(t, err, ErrPass)
}

func TestMessageIDsFollowFromTheFacts(t *testing.T) {
	m := New(keys(t, 1))
	f := turn()
	id, err := m.MessageID(f, "turn", "games.example")
	require.NoError(t, err)
	require.Regexp(t, `^<t\.[a-z2-7]{32}@games\.example>$`, id)
	withdrawn := f
	withdrawn.Epoch, withdrawn.Expires = 7, now
	same, err := m.MessageID(withdrawn, "turn", "games.example")
	require.NoError(t, err)
	require.Equal(t, id, same)
	reminder, err := m.MessageID(f, "reminder", "games.example")
	require.NoError(t, err)
	f.At = Mark{7}
	rewound, err := m.MessageID(f, "turn", "games.example")
	require.NoError(t, err)
	require.NotEqual(t, id, reminder)
	require.NotEqual(t, id, rewound)

	thread := m.ThreadID(events.Name{1}, f.Person, "games.example")
	require.Regexp(t, `^<g\.[a-z2-7]{32}@games\.example>$`, thread)
	require.Equal(t, thread, m.ThreadID(events.Name{1}, f.Person, "games.example"))
	require.NotEqual(t, thread, m.ThreadID(events.Name{1}, "other", "games.example"))
}

func TestATokenIsNeverPrintedByAccident(t *testing.T) {
	token, err := New(keys(t, 1)).Make(turn())
	require.NoError(t, err)
	var out bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("made", "token", token, "in", struct{ T Token }{token})
	}
	_, err = fmt.Fprintf(&out, "%v %+v %#v %s %q %v", token, token, token, token, token, &token)
	require.NoError(t, err)
	require.NoError(t, json.NewEncoder(&out).Encode(map[string]any{"t": token}))
	require.NotContains(t, out.String(), token.Text())
	require.NotContains(t, out.String(), token.Text()[:40])
	require.Contains(t, out.String(), "(pass)")
}

func TestFactsThatCannotBeSaidAreAnError(t *testing.T) {
	m := New(keys(t, 1))
	for name, change := range map[string]func(*Facts){
		"no purpose":     func(f *Facts) { f.Purpose = 0 },
		"purpose":        func(f *Facts) { f.Purpose = 11 + 1 },
		"person":         func(f *Facts) { f.Person = "ana" },
		"person's case":  func(f *Facts) { f.Person = "00112233445566778899AABBCCDDEEFF" },
		"nobody's epoch": func(f *Facts) { f.Person = "" },
		"seat":           func(f *Facts) { f.Seat = domain.Nobody },
		"seat above":     func(f *Facts) { f.Seat = domain.MaxSeats },
		"serial":         func(f *Facts) { f.Serial = -1 },
		"kind":           func(f *Facts) { f.Kind = strings.Repeat("k", maxKind+1) },
		"expiry":         func(f *Facts) { f.Expires = time.Unix(-100, 0) },
	} {
		f := turn()
		change(&f)
		_, err := m.Make(f)
		require.ErrorIs(t, err, ErrFacts, name)
	}
}

func FuzzRead(f *testing.F) {
	m := New(keys(f, 1))
	token, err := m.Make(turn())
	require.NoError(f, err)
	f.Add(token.Text())
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := m.Read(text, now)
		if text == token.Text() {
			require.Equal(t, turn(), got)
			return
		}
		require.ErrorIs(t, err, ErrPass)
	})
}

// FuzzDecode checks that reading facts never panics, whatever a key has signed.
func FuzzDecode(f *testing.F) {
	facts := turn()
	b, err := facts.encode()
	require.NoError(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := decode(b); err != nil {
			require.ErrorIs(t, err, ErrPass)
		}
	})
}
