package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"strings"
)

// benchWire is one player's connection. It speaks only as much HTTP as it needs, so that players use little processor
// time.
type benchWire struct {
	addr string
	conn net.Conn
	in   *bufio.Reader
	out  []byte
	body bytes.Buffer
}

// call sends a request and reads the whole answer, which is valid until the next call.
func (w *benchWire) call(ctx context.Context, method, path string, who benchPerson, body []byte) (status int,
	answer []byte, err error) {
	if w.conn == nil {
		if w.conn, err = (&net.Dialer{}).DialContext(ctx, "tcp", w.addr); err != nil {
			return 0, nil, fmt.Errorf("connect: %w", err)
		}
		w.in = bufio.NewReaderSize(w.conn, 16<<10)
	}
	b := w.out[:0]
	for _, s := range []string{method, " ", path, " HTTP/1.1\r\nHost: ", w.addr, "\r\nAuthorization: Bearer ",
		who.token, "\r\nX-Forwarded-For: ", who.from, "\r\n"} {
		b = append(b, s...)
	}
	if body != nil {
		b = strconv.AppendInt(append(b, "Content-Type: application/json\r\nContent-Length: "...), int64(len(body)), 10)
		b = append(b, "\r\n"...)
	}
	w.out = append(append(b, "\r\n"...), body...)
	if _, err = w.conn.Write(w.out); err != nil {
		return 0, nil, fmt.Errorf("ask: %w", err)
	}
	if status, err = w.answer(); err != nil {
		return 0, nil, fmt.Errorf("answer: %w", err)
	}
	return status, w.body.Bytes(), nil
}

// answer reads an answer into the wire's body.
func (w *benchWire) answer() (status int, err error) {
	w.body.Reset()
	first, err := w.line()
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(first), " ")
	code, _, _ := strings.Cut(rest, " ")
	if status, err = strconv.Atoi(code); err != nil {
		return 0, fmt.Errorf("its status: %w", err)
	}
	length, chunked := int64(0), false
	for {
		line, err := w.line()
		if err != nil {
			return 0, err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64); err != nil {
				return 0, fmt.Errorf("its length: %w", err)
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
	}
	if !chunked {
		_, err = io.CopyN(&w.body, w.in, length)
		return status, err
	}
	if _, err = w.body.ReadFrom(httputil.NewChunkedReader(w.in)); err != nil {
		return 0, err
	}
	if end, err := w.line(); err != nil || len(end) > 0 {
		return 0, errors.Join(err, errors.New("something follows the last chunk"))
	}
	return status, nil
}

// line reads one line, without its end.
func (w *benchWire) line() ([]byte, error) {
	line, err := w.in.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}
