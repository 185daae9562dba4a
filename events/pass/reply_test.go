package pass

import (
	"encoding/base32"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain"
	"posthorn/events"
)

func TestAReplysAddressSaysWhatItWasMadeFrom(t *testing.T) {
	m := New(keys(t, 1))
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		f.Person = domain.PersonID(rapid.StringMatching(`[0-9a-f]{32}`).Draw(t, "whose"))
		f.Epoch = uint32(rapid.IntRange(0, mostEpoch-1).Draw(t, "of passes"))
		pos, ahead := rapid.Uint64Range(0, mostPos-1).Draw(t, "position"),
			rapid.Uint64Range(0, mostAhead-1).Draw(t, "later")
		token, err := m.ReplyTo(f, pos, ahead)
		require.NoError(t, err)
		require.Regexp(t, fmt.Sprintf(`^[a-z2-7]{43,%d}$`, MaxReply), token.Text())
		for _, text := range []string{token.Text(), strings.ToUpper(token.Text())} {
			r, err := m.ReadReply(text)
			require.NoError(t, err)
			require.Equal(t, []uint64{pos, ahead, uint64(f.Epoch)}, []uint64{r.Pos, r.Ahead, uint64(r.Epoch)})
			require.Equal(t, f.Seat, r.Seat)
			require.True(t, r.Of(f.Person) && r.Asks(domain.Decision{Seat: f.Seat, Kind: f.Kind, Serial: f.Serial}))
			require.True(t, r.At(events.Hash{f.At[0], f.At[1], f.At[2], 7}))
			require.False(t, r.Of("ffffffffffffffffffffffffffffffff") ||
				r.At(events.Hash{f.At[0], f.At[1], f.At[2] ^ 1}))
			require.False(t, r.Asks(domain.Decision{Seat: f.Seat ^ 1, Kind: f.Kind, Serial: f.Serial}))
		}
	})
}

func TestAReplysAddressIsOfOneDecision(t *testing.T) {
	m := New(keys(t, 1))
	token, err := m.ReplyTo(turn(), 9, 0)
	require.NoError(t, err)
	r, err := m.ReadReply(token.Text())
	require.NoError(t, err)
	require.False(t, r.Asks(domain.Decision{Seat: 2, Kind: "discard", Serial: 42}))
	require.False(t, r.Asks(domain.Decision{Seat: 2, Kind: "roll", Serial: 41}))
	require.NotContains(t, fmt.Sprintf("%v", token), token.Text())
	require.Equal(t, "(reply) (reply) (reply)", fmt.Sprintf("%v %+v %#v", r, r, r), "it holds a key")
}

func TestAnyAlteredCharacterOfAReplysAddressIsRefused(t *testing.T) {
	m := New(keys(t, 1))
	token, err := m.ReplyTo(turn(), 123456, 3)
	require.NoError(t, err)
	for i := range token.Text() {
		for _, c := range "abcdefghijklmnopqrstuvwxyz234567089+-=. \nł" {
			altered := token.Text()[:i] + string(c) + token.Text()[i+1:]
			if altered != token.Text() {
				_, err := m.ReadReply(altered)
				require.ErrorIs(t, err, ErrPass, altered)
			}
		}
	}
	pass, err := m.Make(turn())
	require.NoError(t, err)
	for _, text := range []string{"", "a", token.Text() + "a", token.Text()[1:], token.Text() + "=", pass.Text(),
		strings.Repeat("a", 100_000),
		base32.StdEncoding.EncodeToString(make([]byte, 40))} {
		_, err := m.ReadReply(text)
		require.ErrorIs(t, err, ErrPass)
	}
}

func TestAddressesOfAnotherKeyAreRefused(t *testing.T) {
	token, err := New(keys(t, 1)).ReplyTo(turn(), 5, 0)
	require.NoError(t, err)
	_, err = New(keys(t, 2)).ReadReply(token.Text())
	require.ErrorIs(t, err, ErrPass)
}

func TestWhatNoAddressCanSayIsAnError(t *testing.T) {
	m := New(keys(t, 1))
	for name, change := range map[string]func(f *Facts, pos, ahead *uint64){
		"nobody":         func(f *Facts, _, _ *uint64) { f.Person = "" },
		"no such person": func(f *Facts, _, _ *uint64) { f.Person = "Ana" },
		"no seat":        func(f *Facts, _, _ *uint64) { f.Seat = domain.Nobody },
		"position":       func(_ *Facts, pos, _ *uint64) { *pos = mostPos },
		"epoch":          func(f *Facts, _, _ *uint64) { f.Epoch = math.MaxUint32 },
		"ahead":          func(_ *Facts, _, ahead *uint64) { *ahead = mostAhead },
	} {
		f, pos, ahead := turn(), uint64(1), uint64(0)
		change(&f, &pos, &ahead)
		_, err := m.ReplyTo(f, pos, ahead)
		require.ErrorIs(t, err, ErrFacts, name)
	}
}

// Mails are answered weeks after they were written, and any later program may read the answers.
func TestTheAddressesOfReleasedProgramsStayAsTheyAre(t *testing.T) {
	m := New(keys(t, 1))
	token, err := m.ReplyTo(turn(), 123456, 3)
	require.NoError(t, err)
	require.Equal(t, "7lamib5af3epmhaxbeeaoayd447fpacyxdwqpjk5biqov6oc", token.Text())
}
