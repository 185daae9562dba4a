package bench

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"posthorn/cmd/posthorn/internal/cputime"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/events"
)

// apartShare is what became of a house that served as a process of its own.
type apartShare struct {
	Acknowledged int `json:"acknowledged"` // moves, each with a receipt
	// receipts that the log does not bear out, once the house was killed
	Lost   int           `json:"lost"`
	Memory int64         `json:"memory_bytes"` // the most that the house had in memory, its file included
	CPU    time.Duration `json:"cpu_ns"`       // of the house, its start included, for each move
}

// apart has a process of its own serve a house, as a host does, and makes players play there. In the end it kills the
// house, and holds every receipt against the log that is left.
func (c *HTTPCmd) apart(ctx context.Context, cfg house.Settings, got *httpBench) (err error) {
	dir, err := os.MkdirTemp(c.Dir, "posthorn-bench-")
	if err != nil {
		return fmt.Errorf("make a folder to measure in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	cfg = inFolder(cfg, dir)
	var players []*benchPlayer
	err = opened(ctx, cfg, func(h *house.House) error {
		players, err = c.seated(ctx, h)
		return err
	})
	if err != nil {
		return err
	}
	run, err := c.serves(ctx, dir)
	if err != nil {
		return err
	}
	for _, p := range players {
		p.house, p.wire.addr = nil, run.addr
	}
	err = c.play(ctx, players, got)
	if err = errors.Join(err, run.kill()); err != nil {
		return err
	}
	ended := run.cmd.ProcessState
	got.Apart = &apartShare{Memory: cputime.MostMemoryOf(ended)}
	err = opened(ctx, cfg, func(h *house.House) error { return got.Apart.counts(ctx, h, players) })
	got.Apart.CPU = (ended.UserTime() + ended.SystemTime()) / time.Duration(max(got.Apart.Acknowledged, 1))
	return err
}

// opened opens a house without serving it, and runs do in it.
func opened(ctx context.Context, cfg house.Settings, do func(*house.House) error) (err error) {
	h, err := house.Open(ctx, cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	return do(h)
}

// serving is a house that serves as a process of its own.
type serving struct {
	addr string
	cmd  *exec.Cmd
	done chan struct{}
}

var isAt = regexp.MustCompile(`Posthorn is at\s+http://(\S+)/`)

// serves starts the house, in the cgroup if there is one, and waits until it serves.
func (c *HTTPCmd) serves(ctx context.Context, dir string) (*serving, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	args := []string{cmp.Or(c.Program, program), "serve", "--data", dir, "--listen", "127.0.0.1:0",
		"--proxies", "127.0.0.0/8", "--hooks", "off"}
	if c.Memory > 0 {
		args = append(args, "--memory", strconv.Itoa(c.Memory))
	}
	if c.Cgroup != "" { // from its first byte on
		args = append([]string{"sh", "-c", `echo $$ > "$0" && exec "$@"`, filepath.Join(c.Cgroup, "cgroup.procs")},
			args...)
	}
	s := &serving{cmd: exec.CommandContext(ctx, args[0], args[1:]...), done: make(chan struct{})}
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start the house: %w", err)
	}
	at := make(chan string, 1)
	go func() {
		defer close(s.done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := isAt.FindStringSubmatch(lines.Text()); m != nil {
				at <- m[1]
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
		_ = s.cmd.Wait() // callers ask ProcessState how it ended
	}()
	select {
	case s.addr = <-at:
		return s, nil
	case <-s.done:
		return nil, fmt.Errorf("the house does not start: %s", s.cmd.ProcessState)
	}
}

// kill ends the house as abruptly as a power cut. It fails if the house has ended by itself.
func (s *serving) kill() error {
	err := s.cmd.Process.Kill()
	<-s.done
	if err != nil {
		return fmt.Errorf("the house ended while people played: %s", s.cmd.ProcessState)
	}
	return nil
}

// counts holds the receipts of all players against a log.
func (a *apartShare) counts(ctx context.Context, h *house.House, players []*benchPlayer) error {
	lines := map[events.Name]map[uint64]events.Hash{}
	for _, p := range players {
		for _, text := range p.receipts {
			r, err := events.ParseReceipt(text)
			if err != nil {
				return fmt.Errorf("a receipt: %w", err)
			}
			if lines[r.Stream] == nil {
				records, err := h.Log.Load(ctx, r.Stream, 0, 0)
				if err != nil && !errors.Is(err, events.ErrNoStream) {
					return err
				}
				lines[r.Stream] = map[uint64]events.Hash{}
				for _, rec := range records {
					lines[r.Stream][rec.Version] = rec.Hash
				}
			}
			a.Acknowledged++
			if lines[r.Stream][r.Version] != r.Hash {
				a.Lost++
			}
		}
	}
	return nil
}
