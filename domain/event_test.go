package domain

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"posthorn/domain/codec"
)

type played struct {
	Tile string `json:"tile"`
	N    int    `json:"n"`
}

type card struct {
	Card string `json:"card"`
}

// quick is a body that writes itself.
type quick struct {
	Tile string `json:"tile"`
}

func (q *quick) AppendJSON(dst []byte) []byte {
	return append(codec.AppendString(append(dst, `{"tile":`...), q.Tile), '}')
}

var testCodec = Codec{Types: []EventType{
	{Name: "played.v1", Body: func() any { return new(played) }, Upcast: func(e Event) Event {
		e.Type, e.Body = "played.v2", &quick{Tile: e.Body.(*played).Tile}
		return e
	}},
	{Name: "played.v2", Body: func() any { return new(quick) }, Secret: func() any { return new(card) }},
	{Name: "over.v1"},
	{Name: "bad.v1", Body: func() any { return new(func()) }},
}}

func TestAnEventIsReadBackAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Event{
			Type: "played.v2", Seat: Seat(rapid.IntRange(-1, 7).Draw(t, "seat")),
			Move: rapid.String().Draw(t, "move"), Body: &quick{rapid.String().Draw(t, "tile")},
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "draws") {
			e.Draws = append(e.Draws, Draw{Purpose: rapid.String().Draw(t, "purpose"), K: uint64(i), Size: i + 1,
				Unseen: i == 1})
		}
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			to := Audience(rapid.IntRange(0, 255).Draw(t, "to"))
			e.Secrets = append(e.Secrets, Secret{To: to, Body: &card{rapid.String().Draw(t, "card")}})
		}
		public, secrets, err := testCodec.Encode(&e)
		require.NoError(t, err)
		back, err := testCodec.Decode("played.v2", public, secrets)
		require.NoError(t, err)
		require.Equal(t, e, back)
	})
}

func TestAnEventIsWrittenInTheFormThatTheLogHolds(t *testing.T) {
	e := Event{Type: "played.v2", Seat: 1, Move: "1,0 90", Draws: []Draw{{"tile", 3, 71, false}}, Body: &quick{"V"}}
	public, secrets, err := testCodec.Encode(&e)
	require.NoError(t, err)
	require.Equal(t, `{"seat":1,"move":"1,0 90","draws":[["tile",3,71]],"body":{"tile":"V"}}`, string(public))
	require.Empty(t, secrets)

	public, _, err = testCodec.Encode(&Event{Type: "over.v1", Seat: Nobody})
	require.NoError(t, err)
	require.Equal(t, `{"seat":-1,"body":null}`, string(public))
	back, err := testCodec.Decode("over.v1", public, nil)
	require.NoError(t, err)
	require.Equal(t, Event{Type: "over.v1", Seat: Nobody}, back)
}

func TestOldEventsAreUpcastOnReading(t *testing.T) {
	back, err := testCodec.Decode("played.v1", []byte(`{"seat":0,"body":{"tile":"V","n":1}}`), nil)
	require.NoError(t, err)
	require.Equal(t, Event{Type: "played.v2", Body: &quick{"V"}}, back)
}

func TestASecretPartThatMayNotBeReadComesBackEmpty(t *testing.T) {
	back, err := testCodec.Decode("played.v2", []byte(`{"seat":0,"body":{"tile":"V"}}`),
		[]SecretBytes{{To: To(1)}, {To: To(0), Data: []byte(`{"card":"K"}`)}})
	require.NoError(t, err)
	require.Equal(t, []Secret{{To: To(1)}, {To: To(0), Body: &card{"K"}}}, back.Secrets)
}

func TestWhatCannotBeWrittenOrReadIsAnError(t *testing.T) {
	_, _, err := testCodec.Encode(&Event{Type: "unknown.v1"})
	require.ErrorContains(t, err, "unknown.v1")
	_, err = testCodec.AppendEvent(nil, &Event{Type: "unknown.v1"})
	require.ErrorContains(t, err, "unknown.v1")
	unwritable := func() {}
	_, _, err = testCodec.Encode(&Event{Type: "bad.v1", Body: unwritable})
	require.Error(t, err)
	_, _, err = testCodec.Encode(&Event{Type: "played.v2", Body: &quick{}, Secrets: []Secret{{Body: unwritable}}})
	require.Error(t, err)
	_, err = testCodec.AppendEvent(nil,
		&Event{Type: "played.v2", Body: &quick{}, Secrets: []Secret{{Body: unwritable}, {Body: &card{}}}})
	require.Error(t, err)

	for _, public := range []string{``, `{`, `[]`, `{"body":7}`, `{"draws":[["x"]]}`, `{"seat":1000}`} {
		_, err := testCodec.Decode("played.v2", []byte(public), nil)
		require.Error(t, err, public)
	}
	_, err = testCodec.Decode("unknown.v1", []byte(`{}`), nil)
	require.Error(t, err)
	_, err = testCodec.Decode("played.v2", []byte(`{}`), []SecretBytes{{Data: []byte(`7`)}})
	require.Error(t, err)
}

func TestASecretPartIsNeverSerialisedByTheOrdinaryWay(t *testing.T) {
	e := Event{Type: "played.v2", Body: &quick{}, Secrets: []Secret{{To: To(0), Body: &card{"K"}}}}
	_, err := json.Marshal(e)
	require.ErrorIs(t, err, errSecret)
	_, err = json.Marshal(e.Secrets)
	require.ErrorIs(t, err, errSecret)
}

func TestRedactLeavesEachViewerTheirOwnParts(t *testing.T) {
	e := Event{Secrets: []Secret{{To: To(0), Body: "Ana's"}, {To: To(0, 1), Body: "both"}, {Body: "nobody's"}}}
	for viewer, want := range map[Viewer][]any{
		ViewOf(0): {"Ana's", "both", nil}, ViewOf(1): {nil, "both", nil}, ViewOf(2): {nil, nil, nil},
		Spectator: {nil, nil, nil}, Referee: {"Ana's", "both", "nobody's"},
	} {
		var got []any
		redacted := e.Redact(viewer)
		for i, s := range redacted.Secrets {
			got = append(got, s.Body)
			require.Equal(t, e.Secrets[i].To, s.To, "that there is a part is public")
		}
		require.Equal(t, want, got, "viewer %d", viewer)
	}
	require.Equal(t, "Ana's", e.Secrets[0].Body, "the event itself is whole")
}

func TestAppendEventHoldsEveryPartAfterItsLength(t *testing.T) {
	e := Event{Type: "played.v2", Seat: 1, Body: &quick{"V"}, Secrets: []Secret{{To: To(0, 2), Body: &card{"K"}}}}
	public, secrets, err := testCodec.Encode(&e)
	require.NoError(t, err)
	var want []byte
	for _, part := range [][]byte{[]byte(e.Type), public} {
		want = append(binary.BigEndian.AppendUint32(want, uint32(len(part))), part...)
	}
	want = binary.BigEndian.AppendUint16(want, 0b101)
	want = append(binary.BigEndian.AppendUint32(want, uint32(len(secrets[0].Data))), secrets[0].Data...)

	got, err := testCodec.AppendEvent([]byte("before"), &e)
	require.NoError(t, err)
	require.Equal(t, "before"+string(want), string(got))
}

func TestAudiencesAreWrittenAsLetters(t *testing.T) {
	for text, a := range map[string]Audience{"-": 0, "A": To(0), "AC": To(0, 2), "H": To(7)} {
		b, err := json.Marshal(a)
		require.NoError(t, err)
		require.Equal(t, `"`+text+`"`, string(b))
		var back Audience
		require.NoError(t, json.Unmarshal(b, &back))
		require.Equal(t, a, back)
	}
	require.Zero(t, To(Nobody, MaxSeats), "no such seats")
	require.Equal(t, 2, To(0, 5).Len())
	for _, bad := range []string{`"Z"`, `7`, `"a"`, `"A-B"`} {
		require.Error(t, json.Unmarshal([]byte(bad), new(Audience)), bad)
	}
}

func TestAViewerLooksFromTheirSeatOrFromNone(t *testing.T) {
	for s := range Seat(MaxSeats) {
		require.Equal(t, s, ViewOf(s).Seat())
		require.True(t, To(s).Admits(ViewOf(s)))
	}
	for _, v := range []Viewer{Spectator, Referee} {
		require.Equal(t, Nobody, v.Seat())
	}
	require.True(t, To().Admits(Referee))
	require.False(t, To(0, 1).Admits(Spectator))
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"seat":1,"move":"1,0 90","draws":[["tile",3,71]],"body":{"tile":"V"}}`, `{"card":"K"}`)
	f.Add(`{"seat":-1,"draws":[["stack",0,36,1]],"body":null}`, `null`)
	f.Fuzz(func(t *testing.T, public, secret string) {
		e, err := testCodec.Decode("played.v2", []byte(public), []SecretBytes{{To: 1, Data: []byte(secret)}})
		if err != nil {
			return
		}
		again, secrets, err := testCodec.Encode(&e)
		require.NoError(t, err)
		back, err := testCodec.Decode("played.v2", again, secrets)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%+v", e.Body), fmt.Sprintf("%+v", back.Body))
	})
}
