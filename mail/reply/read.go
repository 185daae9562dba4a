package reply

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"mime"
	netmail "net/mail"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/charset"
	"github.com/emersion/go-message/textproto"
)

// Bounds on how much of a mail is read. The rest is ignored.
const (
	maxMail   = 256 << 10 // octets of a mail
	maxHeader = 64 << 10  // octets of its header
	maxDepth  = 8         // multiparts within each other
	maxParts  = 64        // parts in all
	maxText   = 32 << 10  // octets of a text, decoded
)

// errMail is returned for bytes whose header cannot be read or is too large.
var errMail = errors.New("not a mail")

// Head is the header of a mail.
type Head struct {
	fields message.Header
	body   []byte
}

// ReadHead reads only the header of a mail. It returns errMail if it cannot.
func ReadHead(raw []byte) (Head, error) {
	raw = raw[:min(len(raw), maxMail)]
	end := headerEnd(raw)
	if end > maxHeader {
		return Head{}, errMail
	}
	h, err := textproto.ReadHeader(bufio.NewReader(bytes.NewReader(raw[:end])))
	if err != nil && !errors.Is(err, io.EOF) || h.Len() == 0 {
		return Head{}, errMail
	}
	return Head{fields: message.Header{Header: h}, body: raw[end:]}, nil
}

// headerEnd returns where the body begins.
func headerEnd(raw []byte) int {
	end := len(raw)
	for _, gap := range []string{"\r\n\r\n", "\n\n"} {
		if i := bytes.Index(raw, []byte(gap)); i >= 0 {
			end = min(end, i+len(gap))
		}
	}
	return end
}

// MessageID returns the mail's id, without angle brackets.
func (h Head) MessageID() string {
	id := strings.TrimSpace(h.fields.Get("Message-Id"))
	id = strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">")
	if len(id) > 998 || strings.ContainsAny(id, " \t\r\n<>") {
		return ""
	}
	return id
}

// Date returns when the mail says that it was written, in its writer's time; ok is false if it does not.
func (h Head) Date() (at time.Time, ok bool) {
	at, err := netmail.ParseDate(h.fields.Get("Date"))
	return at, err == nil
}

// From returns the addresses that the mail claims to be from, in lower case.
func (h Head) From() []string { return bare(h.writers()) }

// Addresses returns those in the fields of a name, in lower case; none if one of the fields cannot be read.
func (h Head) Addresses(name string) []string { return bare(h.people(name)) }

func bare(all []*netmail.Address) (out []string) {
	for _, a := range all {
		out = append(out, strings.ToLower(a.Address))
	}
	return out
}

// Name returns the name that the mail's writer goes by; "" for none, or for several writers.
func (h Head) Name() string {
	all := h.writers()
	if len(all) != 1 {
		return ""
	}
	return strings.TrimSpace(all[0].Name)
}

// writers returns who the mail is from; nobody if it names a group, of however many: programs show its name instead.
func (h Head) writers() []*netmail.Address {
	if slices.ContainsFunc(h.fields.Values("From"), grouped) {
		return nil
	}
	return h.people("From")
}

// grouped reports whether a list of addresses has a group (RFC 5322, section 3.4): a colon or semicolon that is in no
// quoted string, comment, address or domain literal.
func grouped(field string) bool {
	closing, depth := byte(0), 0
	for i := 0; i < len(field); i++ {
		switch c := field[i]; {
		case c == '\\' && (closing != 0 || depth > 0):
			i++
		case closing != 0:
			if c == closing {
				closing = 0
			}
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth > 0:
		case c == '"':
			closing = '"'
		case c == '<':
			closing = '>'
		case c == '[':
			closing = ']'
		case c == ':' || c == ';':
			return true
		}
	}
	return false
}

func (h Head) people(name string) (out []*netmail.Address) {
	for _, field := range h.fields.Values(name) {
		list, err := (&netmail.AddressParser{WordDecoder: words()}).ParseList(field)
		if err != nil {
			return nil
		}
		out = append(out, list...)
	}
	return out
}

// mostAnswers is how many of the mails that a mail refers to are looked at, the last ones.
const mostAnswers = 10

// Answers returns the Message-IDs of the mails that a mail says it answers, without angle brackets.
func (h Head) Answers() (out []string) {
	for _, name := range []string{"In-Reply-To", "References"} {
		for _, id := range strings.Fields(h.fields.Get(name)) {
			if bare := strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">"); bare != "" && len(bare) <= 998 {
				out = append(out, bare)
			}
		}
	}
	return out[max(0, len(out)-mostAnswers):]
}

// Languages returns the languages that the mail asks for, as its program names them; "" for none.
func (h Head) Languages() string {
	return cmp.Or(h.fields.Get("Accept-Language"), h.fields.Get("Content-Language"))
}

func words() *mime.WordDecoder {
	return &mime.WordDecoder{CharsetReader: charset.Reader}
}

// Lines returns the lines that the mail's writer wrote.
func (h Head) Lines() []string { return Own(h.text()) }

// Unmarked reports whether the mail it answers, which has a mark, stands unmarked among the lines of its writer.
func (h Head) Unmarked(word string) bool { return unmarked(h.text(), word) }

// text returns the mail's text: what is plain, or else what its page says.
func (h Head) text() string {
	w := walk{}
	w.part(h.fields, bytes.NewReader(h.body), 0)
	if text := w.plain.String(); strings.TrimSpace(text) != "" {
		return text
	}
	return HTML(w.html.String())
}

// walk collects the texts of a mail.
type walk struct {
	parts       int
	plain, html strings.Builder
}

func (w *walk) part(h message.Header, body io.Reader, depth int) {
	if w.parts++; w.parts > maxParts || depth > maxDepth {
		return
	}
	typ, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if !strings.Contains(typ, "/") || err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		typ, params = "text/plain", map[string]string{}
	}
	switch kind, _, _ := strings.Cut(typ, "/"); {
	case kind == "multipart" && params["boundary"] != "":
		r := textproto.NewMultipartReader(body, params["boundary"])
		for w.parts <= maxParts {
			p, err := r.NextPart()
			if err != nil {
				return
			}
			w.part(message.Header{Header: p.Header}, p, depth+1)
		}
	case attached(h):
	case typ == "text/plain":
		text := decode(h, params["charset"], body)
		if strings.EqualFold(params["format"], "flowed") {
			text = unflow(text, strings.EqualFold(params["delsp"], "yes"))
		}
		add(&w.plain, text)
	case typ == "text/html":
		add(&w.html, decode(h, params["charset"], body))
	}
}

func add(to *strings.Builder, text string) {
	if to.Len() > 0 {
		to.WriteByte('\n')
	}
	to.WriteString(text[:min(len(text), max(0, maxText-to.Len()))])
}

// attached reports whether a part is an attached file.
func attached(h message.Header) bool {
	how, params, _ := mime.ParseMediaType(h.Get("Content-Disposition"))
	return how == "attachment" || params["filename"] != ""
}

// decode reads a text in whatever transfer encoding and charset it claims. It reads a cut-off or damaged text as far as
// it can.
func decode(h message.Header, from string, body io.Reader) string {
	var bare message.Header // New would trust the charset
	bare.Set("Content-Transfer-Encoding", h.Get("Content-Transfer-Encoding"))
	bare.Set("Content-Type", "application/octet-stream")
	e, err := message.New(bare, body)
	if err != nil && !message.IsUnknownEncoding(err) {
		return ""
	}
	var b bytes.Buffer
	_, _ = io.Copy(&b, io.LimitReader(e.Body, maxText)) // as far as it can be read
	return toUTF8(b.Bytes(), from)
}

// Body returns the mail without its header, as it came.
func (h Head) Body() []byte { return h.body }

// Fields returns the mail's header.
func (h Head) Fields() message.Header { return h.fields }

// Says reports whether the mail's text has a word anywhere, in what it quotes, too.
func (h Head) Says(word string) bool {
	w := walk{}
	w.part(h.fields, bytes.NewReader(h.body), 0)
	return strings.Contains(w.plain.String(), word) || strings.Contains(w.html.String(), word)
}
