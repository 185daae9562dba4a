package inbound_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/desk"
)

// Whoever tries this and that, and is asked what they mean, is answered each time: no program does that.
func TestWhoTriesThisAndThatIsNeverSilenced(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	for i := range 24 {
		require.Equal(t, "outcome: refused", p.becomes(ana, fmt.Sprint("city ", i)))
	}
	for i := range 15 {
		require.Equal(t, "outcome: asked", p.becomes(ana, fmt.Sprintf("offer %d ore for soup", i), "end"))
	}
	require.Equal(t, "outcome: played", p.becomes(ana, "buy"))
	for i := range 15 {
		require.Equal(t, "outcome: asked", p.becomes(ana, fmt.Sprintf("offer %d ore for soup", i), "end"),
			"what did something begins the count anew")
	}
}

// Silence about one question is none about the next: its letter is new, and so is whatever its reader says to it.
func TestANewQuestionIsNoPartOfASilence(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(offering)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	p.play(table, 0, "offer 1 wool for 1 ore to B")
	p.deliver(table)
	for i := range 6 {
		want := "outcome: unread"
		if i == 5 {
			want = "why: enough"
		}
		require.Equal(t, want, p.becomes(bo, fmt.Sprint("Well, well, ", i)))
	}
	p.now.add(time.Minute)
	p.play(table, 0, "offer 2 wool for 1 ore to B")
	p.deliver(table)
	require.Equal(t, "outcome: unread", p.becomes(bo, "Well, well"))
}

// A program that answers each mail with words, and says nowhere that it is one, is answered no longer once its mails
// say nothing, also where nothing is asked; one that sends the same move, not for ever.
func TestAProgramThatSaysTheSameIsNotAnsweredForEver(t *testing.T) {
	p := newPost(t)
	table := p.started(desk.NewTable{Rulebook: "catan", Given: []byte(haggling)},
		p.person("Ana", "en"), p.person("Bo", "en"), p.person("Cid", "en"))
	p.deliver(table)
	first := p.newest(ana)
	require.Equal(t, "outcome: played", p.becomes(ana, "end"))
	p.deliver(table)
	for i := range 6 {
		p.answerTo(ana, first, fmt.Sprintf("The office is closed. Your ticket has number %d.", i))
		want := "outcome: unread"
		if i == 5 {
			want = "why: enough"
		}
		require.Equal(t, want, outcome(p.log.String()), i)
	}
	for i := range 21 {
		p.answerTo(ana, first, "buy")
		want := "outcome: stale"
		if i == 20 {
			want = "why: enough"
		}
		require.Equal(t, want, outcome(p.log.String()), i)
		p.deliver(table)
	}
	require.Contains(t, flat(p.newest(ana).Text), "You have sent this reply many times today.", "the last says so")
	p.answerTo(ana, first, "road 26")
	require.Equal(t, "outcome: stale", outcome(p.log.String()), "anything else is answered")
}
