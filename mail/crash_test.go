package mail_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events/programtest"
	"posthorn/events/sqlite"
	"posthorn/mail"
)

// TestChild is what the crash tests start as a separate process; on its own it does nothing.
func TestChild(t *testing.T) {
	dir := os.Getenv("POSTHORN_CHILD_MAIL")
	if dir == "" {
		return
	}
	h := onDisk(t, dir)
	connections, err := strconv.Atoi(os.Getenv("POSTHORN_CHILD_CONNECTIONS"))
	require.NoError(t, err)
	tr, err := mail.NewSMTP(os.Getenv("POSTHORN_CHILD_SMTP"), "games.example.org", connections)
	require.NoError(t, err)
	s := h.sender(tr)
	s.Connections = connections
	require.NoError(t, s.Flush(h.Ctx))
	require.NoError(t, tr.Close())
}

// onDisk returns a house with all its parts in files in a folder.
func onDisk(t *testing.T, dir string) *house {
	t.Helper()
	l, err := sqlite.Open(t.Context(), filepath.Join(dir, "events.db"))
	require.NoError(t, err)
	return openOver(t, time.Now, dir, l)
}

// killer kills a child the n-th time its server reaches a step, and lets the server continue only once the child is
// dead: nobody hears what it says after that.
type killer struct {
	mu    sync.Mutex
	step  string
	times int
	after bool             // once the step has been answered
	child chan *os.Process // gets the child once it has started
	dead  chan struct{}
}

func (k *killer) at(step string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if step != k.step {
		return
	}
	if k.times--; k.times != 0 {
		return
	}
	_ = (<-k.child).Kill() // it may already be dead
	<-k.dead
}

// live runs a child until it ends or is killed, and reports whether it was killed.
func live(t *testing.T, dir string, s *scripted, connections int, k *killer) (killed bool) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run", "^TestChild$")
	child.Env = append(os.Environ(), "POSTHORN_CHILD_MAIL="+dir,
		"POSTHORN_CHILD_CONNECTIONS="+strconv.Itoa(connections), "POSTHORN_CHILD_SMTP=smtp://"+s.listen.Addr().String())
	var complaints bytes.Buffer
	child.Stdout, child.Stderr = &complaints, &complaints
	k.child, k.dead = make(chan *os.Process, 1), make(chan struct{})
	s.mu.Lock()
	if s.seen, s.done = k.at, func(string) {}; k.after {
		s.seen, s.done = s.done, k.at
	}
	s.mu.Unlock()
	require.NoError(t, child.Start())
	k.child <- child.Process
	err := child.Wait()
	close(k.dead)
	if err == nil {
		return false
	}
	require.Equal(t, -1, child.ProcessState.ExitCode(), "it was to be killed, not to fail: %s", complaints.String())
	return true
}

// Whatever the program was doing when it was killed, every letter arrives. Each connection open at the time may deliver
// one letter twice, with the same bytes.
func TestKilledAtEachStepOfALetter(t *testing.T) {
	programtest.Long(t)
	for _, c := range []struct {
		name, step string
		times      int
		after      bool // the step has been answered
		doubled    int  // at most
	}{
		{"at the greeting", "greeting", 1, false, 0},
		{"while it greets", "EHLO", 1, false, 0},
		{"before the sender was taken", "MAIL", 2, false, 0},
		{"before the recipient was taken", "RCPT", 2, false, 0},
		{"before the letter is asked for", "DATA", 2, false, 0},
		{"when the letter has arrived, before that is said", "dot", 2, false, 1},
		{"when it was said that the letter has arrived", "dot", 2, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			letters := filled(t, dir, 2)
			s := newScripted(t)
			require.True(t, live(t, dir, s, 1, &killer{step: c.step, times: c.times, after: c.after}))
			require.False(t, live(t, dir, s, 1, &killer{}))
			arrivedOnce(t, s, letters, c.doubled)
			h := onDisk(t, dir)
			require.Zero(t, h.waits())
		})
	}
}

func TestKilledAtAnyMomentOfTheQueue(t *testing.T) {
	lives := 4
	if os.Getenv("POSTHORN_LONG") == "1" {
		lives = 60
	}
	dir := t.TempDir()
	letters := filled(t, dir, 10)
	s := newScripted(t)
	const connections = 3
	steps := []string{"MAIL", "RCPT", "DATA", "dot"}
	killed := 0
	for range lives {
		k := &killer{step: steps[rand.N(len(steps))], times: 1 + rand.N(letters/4), after: rand.N(2) == 0}
		if live(t, dir, s, connections, k) {
			killed++
		}
	}
	require.False(t, live(t, dir, s, connections, &killer{}))
	require.NotZero(t, killed)
	arrivedOnce(t, s, letters, killed*connections)
	t.Logf("killed %d times, %d copies of %d letters", killed, len(s.letters()), letters)
}

// filled makes a house on disk whose queue holds letters about some tables, and returns how many.
func filled(t *testing.T, dir string, tables int) (letters int) {
	t.Helper()
	h := onDisk(t, dir)
	h.queued(tables, 4*tables)
	letters = h.waits()
	require.Equal(t, 4*tables, letters)
	h.shut()
	return letters
}

// arrivedOnce checks that a number of letters arrived, and that the copies of any that arrived twice are identical.
func arrivedOnce(t *testing.T, s *scripted, letters, doubled int) {
	t.Helper()
	byID := map[string]delivered{}
	for _, l := range s.letters() {
		id := messageID(t, l.message)
		if first, again := byID[id]; again {
			require.Equal(t, first, l, "the same letter has the same bytes")
			doubled--
		}
		byID[id] = l
	}
	require.Len(t, byID, letters)
	require.GreaterOrEqual(t, doubled, 0, "too many came twice")
}
