package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"posthorn/events"
)

// benchCrowd is a number of people who have a table open. Readers count the news they get.
type benchCrowd struct {
	conns   []net.Conn
	readers int
	all     sync.WaitGroup
	reached chan time.Time // the time at which the last reader had the expected version
	lost    chan error     // somebody's stream ended

	mu   sync.Mutex
	want uint64 // the expected version
	left int    // readers still waiting for it
	gone bool   // they are leaving on purpose
}

// patientCrowd is how long a crowd waits for news before it gives up.
const patientCrowd = time.Minute

// newCrowd opens live streams, each from its own address, and waits until every reader knows the state of the table.
func newCrowd(ctx context.Context, addr string, table events.Name, watchers, silent int) (*benchCrowd, error) {
	c := &benchCrowd{readers: watchers - silent, reached: make(chan time.Time, 1), lost: make(chan error, 1)}
	c.expect(1)
	for i := range watchers {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("watch: %w", err), c.leave())
		}
		c.conns = append(c.conns, conn)
		if _, err := fmt.Fprintf(conn,
			"GET /t/%s/live HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nX-Forwarded-For: 10.1.%d.%d\r\n\r\n",
			table, addr, i>>8, i&255); err != nil {
			return nil, errors.Join(fmt.Errorf("watch: %w", err), c.leave())
		}
		if i >= silent {
			c.all.Go(func() { c.read(conn) })
		}
	}
	if _, err := c.told(ctx); err != nil {
		return nil, errors.Join(err, c.leave())
	}
	return c, nil
}

// expect makes the crowd wait for a version.
func (c *benchCrowd) expect(version uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want, c.left = version, c.readers
}

// told returns when the last reader learned of the expected version, or the current time if nobody reads.
func (c *benchCrowd) told(ctx context.Context) (time.Time, error) {
	if c.readers == 0 {
		return time.Now(), nil
	}
	ctx, cancel := context.WithTimeout(ctx, patientCrowd)
	defer cancel()
	select {
	case at := <-c.reached:
		return at, nil
	case err := <-c.lost:
		return time.Time{}, err
	case <-ctx.Done():
		return time.Time{}, fmt.Errorf("not everybody was told: %w", ctx.Err())
	}
}

// read reads a stream to its end, without a full HTTP client.
func (c *benchCrowd) read(conn net.Conn) {
	in := bufio.NewReaderSize(conn, 512)
	counted, err := uint64(0), error(nil)
	for {
		var line []byte
		if line, err = in.ReadSlice('\n'); err != nil {
			break
		}
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "HTTP/1.1 ") && text != "HTTP/1.1 200 OK" {
			err = errors.New(text)
			break
		}
		if id, is := strings.CutPrefix(text, "id: "); is {
			_, version, _ := strings.Cut(id, "-")
			n, _ := strconv.ParseUint(version, 10, 64)
			counted = c.count(n, counted)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.gone {
		select {
		case c.lost <- fmt.Errorf("a live stream ended: %w", err):
		default:
		}
	}
}

// count records that a reader learned of a version. counted is the version the reader was last counted for; count
// returns the one it is counted for now.
func (c *benchCrowd) count(version, counted uint64) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version < c.want || counted == c.want {
		return counted
	}
	if c.left--; c.left == 0 {
		c.reached <- time.Now()
	}
	return c.want
}

// leave closes all streams.
func (c *benchCrowd) leave() (err error) {
	c.mu.Lock()
	c.gone = true
	c.mu.Unlock()
	for _, conn := range c.conns {
		err = errors.Join(err, conn.Close())
	}
	c.all.Wait()
	return err
}
