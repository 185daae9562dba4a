package mail

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // every charset that a mail may use

	"posthorn/projections/words"
)

//go:embed templates/mailbox.html templates/letter.html
var mailboxTemplates embed.FS

var mailboxPages = template.Must(template.ParseFS(mailboxTemplates, "templates/mailbox.html", "templates/letter.html"))

// Page shows the mailbox under a path such as "/mailbox". It only reads, and hands answers to a house that takes them
// (see Answered), each under a name that no other page can know. Because it shows everybody's mail, it answers only
// browsers on this machine. It judges that by where the connection comes from, whatever name or address the request
// claims. A request that came through a proxy counts as coming from elsewhere.
func (m *Mailbox) Page(path string, book *words.Book) http.Handler {
	p := &mailboxPage{box: m, path: strings.TrimSuffix(path, "/"), book: book}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+p.path, p.list)
	mux.HandleFunc("GET "+p.path+"/{$}", p.list)
	mux.HandleFunc("GET "+p.path+"/{id}", p.of(p.letter))
	mux.HandleFunc("GET "+p.path+"/{id}/answer", p.of(p.answer))
	mux.HandleFunc("POST "+p.path+"/{id}/answer", p.of(p.answers))
	mux.HandleFunc("GET "+p.path+"/{id}/{part}", p.of(p.part))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !fromHere(r) {
			p.page(w, r, http.StatusForbidden, "mailbox.html", map[string]any{"Elsewhere": true})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// passedOn lists the headers by which proxies show that they pass on somebody else's request.
var passedOn = [...]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
	"X-Forwarded-Server", "X-Real-Ip", "Via",
	"X-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "Fastly-Client-Ip", "X-Cluster-Client-Ip"}

// fromHere reports whether a request was made on this machine, and on behalf of nobody elsewhere. A proxy with no
// special configuration adds no header but speaks HTTP/1.0, which no browser has done for decades.
func fromHere(r *http.Request) bool {
	if !r.ProtoAtLeast(1, 1) {
		return false
	}
	for _, h := range passedOn {
		if _, ok := r.Header[h]; ok {
			return false
		}
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

type mailboxPage struct {
	box  *Mailbox
	path string
	book *words.Book
}

type row struct {
	ID, To, Subject, Preheader string
	Received                   time.Time
}

// page writes one of the mailbox's own pages.
func (p *mailboxPage) page(w http.ResponseWriter, r *http.Request, status int, name string, data map[string]any) {
	body, err := p.filled(r, name, data)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	headers(w, "text/html; charset=utf-8",
		"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone away
}

// filled fills in a template in the reader's language.
func (p *mailboxPage) filled(r *http.Request, name string, data map[string]any) ([]byte, error) {
	printer := p.book.Printer(p.language(r), "", nil)
	data["T"] = func(key string) string { return printer.Text("mail.box." + key) }
	data["Dated"] = printer.Dated
	data["Lang"], data["Path"] = printer.Lang(), p.path
	var b bytes.Buffer
	err := mailboxPages.ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

// language returns what the reader chose on the house's pages, or else what their browser prefers.
func (p *mailboxPage) language(r *http.Request) string {
	if c, err := r.Cookie("lang"); err == nil && slices.Contains(words.Languages, c.Value) {
		return c.Value
	}
	return p.book.Match(r.Header.Get("Accept-Language"))
}

func (p *mailboxPage) list(w http.ResponseWriter, r *http.Request) {
	to := r.URL.Query().Get("to")
	var rows []row
	for _, m := range p.box.list() {
		if to == "" || m.To == to {
			rows = append(rows, p.box.row(m))
		}
	}
	p.page(w, r, http.StatusOK, "mailbox.html", map[string]any{"Rows": rows, "Sent": r.URL.Query().Get("sent") != ""})
}

// rowOf returns what the list says of a message.
func rowOf(m Message) row {
	parts, err := m.Read()
	if err != nil {
		parts.Subject = err.Error()
	}
	return row{ID: m.ID, To: m.To, Subject: parts.Subject, Preheader: headed(opening(parts.Text), parts.Subject),
		Received: m.Received}
}

// headed returns a mail's first sentence without the table's title at its end. The title appears below it as the
// subject, with the table's number.
func headed(sentence, subject string) string {
	title, _, _ := strings.Cut(subject, " #")
	return strings.TrimSuffix(sentence, ": "+title)
}

// opening returns a text's first paragraph, whose lines were broken for terminals, as one line.
func opening(text string) string {
	first, _, _ := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// of shows something of the message that the URL names.
func (p *mailboxPage) of(show func(http.ResponseWriter, *http.Request, Message, Parts)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m, ok := p.box.Message(r.PathValue("id"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		parts, err := m.Read()
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		show(w, r, m, parts)
	}
}

// letter shows a message as its reader sees it, as a single page: a bar that leads back, and the letter below.
func (p *mailboxPage) letter(w http.ResponseWriter, r *http.Request, m Message, parts Parts) {
	whole := parts.HTML != ""
	if r.PathValue("part") == "text" {
		parts.HTML = ""
	}
	data := map[string]any{"ID": m.ID, "To": m.To, "Subject": parts.Subject, "Received": m.Received, "HasHTML": whole,
		"Text": textBlocks(parts.Text), "Answers": p.answered(parts) != ""}
	if parts.HTML == "" {
		p.page(w, r, http.StatusOK, "letter.html", data)
		return
	}
	bar, err := p.filled(r, "bar", data)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	html := p.shown(m, parts)
	from, to := 0, len(html) // the contents of its body
	if i := strings.Index(html, "<body"); i >= 0 {
		from = i + strings.Index(html[i:], ">") + 1
	}
	if i := strings.LastIndex(html, "</body>"); i >= from {
		to = i
	}
	headers(w, "text/html; charset=utf-8", sandbox)
	// the client may have gone away
	_, _ = w.Write([]byte(html[:from] + string(bar) + "<main>" + html[from:to] + "</main>" + html[to:]))
}

// shown returns a message's HTML with its pictures at their URLs here.
func (p *mailboxPage) shown(m Message, parts Parts) string {
	html := strings.Replace(parts.HTML, "<head>", `<head><base target="_top">`, 1)
	for id := range parts.Pictures {
		html = strings.ReplaceAll(html, "cid:"+id, p.path+"/"+m.ID+"/"+id)
	}
	return html
}

// sandbox is what a message may do in a browser: show itself with its pictures, and let people follow its links.
const sandbox = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox " +
	"allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"

// part serves a single part of a message.
func (p *mailboxPage) part(w http.ResponseWriter, r *http.Request, m Message, parts Parts) {
	typ, body := "text/plain; charset=utf-8", []byte(nil)
	switch which := r.PathValue("part"); which {
	case "html":
		typ, body = "text/html; charset=utf-8", []byte(p.shown(m, parts))
	case "text":
		if w.Header().Add("Vary", "Accept"); strings.Contains(r.Header.Get("Accept"), "text/html") {
			// a browser breaks the lines of a map
			p.letter(w, r, m, parts)
			return
		}
		body = []byte(parts.Text)
	case "source":
		body = m.Raw
	default:
		png, ok := parts.Pictures[which]
		if !ok {
			http.NotFound(w, r)
			return
		}
		typ, body = "image/png", png
	}
	headers(w, typ, sandbox)
	_, _ = w.Write(body) // the client may have gone away
}

// headers limit what a browser may do with an answer.
func headers(w http.ResponseWriter, typ, policy string) {
	h := w.Header()
	h.Set("Content-Type", typ)
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

// Parts are the contents of a message.
type Parts struct {
	Subject  string
	Header   message.Header
	Text     string
	HTML     string
	Pictures map[string][]byte // by Content-ID
}

// Bounds on reading a message.
const (
	mostDepth = 8
	mostParts = 64
)

// errMessage is returned for a message that is nested too deeply or has too many parts.
var errMessage = errors.New("the message is not one this server writes")

// Read takes a message apart. It returns errMessage if the message is nested too deeply or has too many parts.
func (m Message) Read() (Parts, error) {
	var p Parts
	e, err := message.Read(bytes.NewReader(m.Raw))
	if err != nil && !message.IsUnknownCharset(err) {
		return p, fmt.Errorf("read message: %w", err)
	}
	p.Header = e.Header
	p.Subject, err = e.Header.Text("Subject")
	if err != nil {
		p.Subject = e.Header.Get("Subject")
	}
	count := 0
	return p, p.walk(e, 0, &count)
}

func (p *Parts) walk(e *message.Entity, depth int, count *int) error {
	if *count++; *count > mostParts || depth > mostDepth {
		return errMessage
	}
	if parts := e.MultipartReader(); parts != nil {
		for {
			next, err := parts.NextPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil && !message.IsUnknownCharset(err) {
				return fmt.Errorf("read message: %w", err)
			}
			if err := p.walk(next, depth+1, count); err != nil {
				return err
			}
		}
	}
	body, err := io.ReadAll(io.LimitReader(e.Body, mostBytes))
	if err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	typ, _, err := mime.ParseMediaType(e.Header.Get("Content-Type"))
	if err != nil {
		typ = "text/plain"
	}
	switch typ {
	case "text/plain":
		p.Text += string(body)
	case "text/html":
		p.HTML += string(body)
	case "image/png":
		if p.Pictures == nil {
			p.Pictures = map[string][]byte{}
		}
		p.Pictures[strings.Trim(e.Header.Get("Content-Id"), "<>")] = body
	}
	return nil
}
