package mail

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
)

// envelope is a message's header.
type envelope struct {
	From, FromName string
	House          string // what the sender of every letter is called, where answers go to
	To, ToName     string // ToName is "" if the recipient has none
	Kind           Kind
	ReplyTo        string // "" means From
	Subject        string
	Date           time.Time // when it goes out, or first was to, in the recipient's zone
	MessageID      string
	InReplyTo      string // the mail it answers; "" for none
	Root           string // the virtual first message of the table's thread
	ListID         string
	Unsubscribe    string
	Calendar       []byte // nil for none
}

// feedbackSender is the sender's part of Feedback-ID, the same for all letters of all houses: their domains tell those
// apart, and nothing about a table or a person belongs there.
const feedbackSender = "posthorn"

// inline is a picture shown in the HTML.
type inline struct {
	id  string // its Content-ID, without angle brackets
	png []byte
}

// write builds the message: text and HTML as alternatives, and the pictures with the HTML.
func (e envelope) write(text, html string, pictures []inline) ([]byte, error) {
	var h mail.Header
	h.SetDate(e.Date)
	h.SetAddressList("From", []*mail.Address{{Name: e.FromName, Address: e.From}})
	h.SetAddressList("To", []*mail.Address{{Name: e.ToName, Address: e.To}})
	if e.ReplyTo != "" {
		h.SetAddressList("Reply-To", []*mail.Address{{Name: e.House, Address: e.ReplyTo}})
	}
	h.SetSubject(e.Subject)
	h.SetMessageID(e.MessageID)
	h.Set("Feedback-ID", string(e.Kind)+":"+feedbackSender) // tells a large provider's figures of complaints apart
	h.Set("Auto-Submitted", e.auto())
	h.Set("X-Auto-Response-Suppress", "All")
	thread := slices.DeleteFunc([]string{e.Root, e.InReplyTo}, func(id string) bool { return id == "" })
	if len(thread) > 0 {
		h.SetMsgIDList("In-Reply-To", thread[len(thread)-1:])
		h.SetMsgIDList("References", thread)
	}
	if e.ListID != "" {
		h.Set("List-Id", "<"+e.ListID+">")
	}
	if e.Unsubscribe != "" {
		h.Set("List-Unsubscribe", "<"+e.Unsubscribe+">")
		h.Set("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	h.SetContentType("multipart/alternative", e.bounded("a"))
	h.Set("MIME-Version", "1.0")
	var out bytes.Buffer
	size := len(text) + len(html) + 4<<10
	for _, p := range pictures {
		size += len(p.png) + len(p.png)/2 // a third more, and some to spare
	}
	out.Grow(size + size/8)
	top, err := message.CreateWriter(&out, h.Header)
	if err != nil {
		return nil, fmt.Errorf("write message: %w", err)
	}
	if err := part(top, "text/plain", nil, "quoted-printable", strings.NewReader(text)); err != nil {
		return nil, err
	}
	if err := e.rich(top, html, pictures); err != nil {
		return nil, err
	}
	if err := top.Close(); err != nil {
		return nil, fmt.Errorf("write message: %w", err)
	}
	return out.Bytes(), nil
}

// rich writes the HTML, and with it a calendar: not as a form of the text, which some programs would show instead of
// it, and not beside the text, where programs that show text alone would print all of it.
func (e envelope) rich(top *message.Writer, html string, pictures []inline) error {
	if e.Calendar == nil {
		return e.html(top, html, pictures)
	}
	var h message.Header
	h.SetContentType("multipart/mixed", e.bounded("m"))
	mixed, err := top.CreatePart(h)
	if err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	if err := e.html(mixed, html, pictures); err != nil {
		return err
	}
	if err := part(mixed, "text/calendar", [][2]string{{"Content-Disposition", "attachment; filename=posthorn.ics"}},
		"quoted-printable", bytes.NewReader(e.Calendar)); err != nil {
		return err
	}
	if err := mixed.Close(); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

// html writes the HTML and its pictures.
func (e envelope) html(to *message.Writer, html string, pictures []inline) error {
	if len(pictures) == 0 {
		return part(to, "text/html", nil, "quoted-printable", strings.NewReader(html))
	}
	return e.related(to, html, pictures)
}

func (e envelope) bounded(which string) map[string]string {
	return map[string]string{"boundary": e.boundary(which)}
}

// auto returns the header value that says no person wrote the message (RFC 3834, section 5).
func (e envelope) auto() string {
	if e.InReplyTo != "" {
		return "auto-replied"
	}
	return "auto-generated"
}

func (e envelope) related(top *message.Writer, html string, pictures []inline) error {
	var h message.Header
	h.SetContentType("multipart/related", map[string]string{"boundary": e.boundary("r"), "type": "text/html"})
	rel, err := top.CreatePart(h)
	if err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	if err := part(rel, "text/html", nil, "quoted-printable", strings.NewReader(html)); err != nil {
		return err
	}
	for _, p := range pictures {
		name, _, _ := strings.Cut(p.id, ".")
		extra := [][2]string{{"Content-ID", "<" + p.id + ">"},
			{"Content-Disposition", "inline; filename=" + name + ".png"}}
		if err := part(rel, "image/png", extra, "base64", bytes.NewReader(p.png)); err != nil {
			return err
		}
	}
	if err := rel.Close(); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

// boundary derives a boundary from the message's id: a random one would change the bytes.
func (e envelope) boundary(which string) string {
	id, _, _ := strings.Cut(e.MessageID, "@")
	return "posthorn-" + which + "-" + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, id)
}

func part(w *message.Writer, typ string, extra [][2]string, encoding string, body io.Reader) error {
	var h message.Header
	params := map[string]string{}
	if strings.HasPrefix(typ, "text/") {
		params["charset"] = "utf-8"
	}
	if typ == "text/calendar" {
		params["method"] = "PUBLISH"
	}
	h.SetContentType(typ, params)
	h.Set("Content-Transfer-Encoding", encoding)
	for _, e := range extra { // in a fixed order: the same letter has the same bytes
		h.Set(e[0], e[1])
	}
	p, err := w.CreatePart(h)
	if err != nil {
		return fmt.Errorf("write %s part: %w", typ, err)
	}
	if _, err := io.Copy(p, body); err != nil {
		return fmt.Errorf("write %s part: %w", typ, err)
	}
	if err := p.Close(); err != nil {
		return fmt.Errorf("write %s part: %w", typ, err)
	}
	return nil
}

// domainOf returns the part of an address after the @.
func domainOf(address string) string {
	_, d, ok := strings.Cut(address, "@")
	if !ok {
		return "localhost"
	}
	return d
}
