package mail

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// mostTyped limits an answer typed into the mailbox, in bytes.
const mostTyped = 16 << 10

// answered returns the address that takes answers to a message; "" if the house takes none.
func (p *mailboxPage) answered(parts Parts) string {
	if p.box.taker() == nil {
		return ""
	}
	to, err := mail.ParseAddress(cmp.Or(parts.Header.Get("Reply-To"), parts.Header.Get("From")))
	if err != nil || strings.ContainsAny(to.Address, "\r\n<>\" ") {
		return ""
	}
	return to.Address
}

// answer shows the form for answering a mail. It is a page of its own, because a page that shows a mail must not send
// forms.
func (p *mailboxPage) answer(w http.ResponseWriter, r *http.Request, m Message, parts Parts) {
	if p.answered(parts) == "" {
		http.NotFound(w, r)
		return
	}
	p.form(w, r, http.StatusOK, m, parts, "")
}

func (p *mailboxPage) form(w http.ResponseWriter, r *http.Request, status int, m Message, parts Parts, wrong string) {
	p.page(w, r, status, "mailbox.html",
		map[string]any{"Answer": true, "ID": m.ID, "To": m.To, "Subject": parts.Subject, "Text": textBlocks(parts.Text),
			"Wrong": wrong})
}

// answers makes a mail of what was typed and hands it to the house, as a mail program would through a mail server.
func (p *mailboxPage) answers(w http.ResponseWriter, r *http.Request, m Message, parts Parts) {
	to := p.answered(parts)
	if to == "" || !namedHere(r) {
		http.NotFound(w, r)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 4*mostTyped)
	if err := r.ParseForm(); err != nil || len(r.PostForm.Get("text")) > mostTyped {
		p.form(w, r, http.StatusRequestEntityTooLarge, m, parts, "long")
		return
	}
	raw, err := answerTo(m, parts, to, r.PostForm.Get("text"), time.Now())
	if err == nil {
		err = p.box.taker()(r.Context(), to, m.To, raw)
	}
	if err != nil {
		p.form(w, r, http.StatusInternalServerError, m, parts, "lost")
		return
	}
	http.Redirect(w, r, p.path+"?"+url.Values{"to": {m.To}, "sent": {"1"}}.Encode(), http.StatusSeeOther)
}

// namedHere reports whether a request names this machine. A foreign page whose name was made to lead here names itself.
func namedHere(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}

// answerTo returns a mail that answers a message, from the person it was sent to.
func answerTo(m Message, parts Parts, to, text string, now time.Time) ([]byte, error) {
	var b bytes.Buffer
	subject := strings.Join(strings.Fields(parts.Subject), " ")
	if !strings.HasPrefix(strings.ToLower(subject), "re:") {
		subject = "Re: " + subject
	}
	header := func(name, value string) { _, _ = fmt.Fprintf(&b, "%s: %s\r\n", name, value) } // into memory
	header("From", "<"+m.To+">")
	header("To", "<"+to+">")
	header("Subject", mime.QEncoding.Encode("utf-8", subject))
	header("Date", now.Format(time.RFC1123Z))
	header("Message-ID", "<"+rand.Text()+"@mailbox.localhost>")
	if id := strings.TrimSpace(parts.Header.Get("Message-Id")); id != "" && !strings.ContainsAny(id, "\r\n ") {
		header("In-Reply-To", id)
	}
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	b.WriteString("\r\n")
	q := quotedprintable.NewWriter(&b)
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if _, err := q.Write([]byte(strings.ReplaceAll(text, "\n", "\r\n") + "\r\n")); err != nil {
		return nil, fmt.Errorf("write an answer: %w", err)
	}
	if err := q.Close(); err != nil {
		return nil, fmt.Errorf("write an answer: %w", err)
	}
	return b.Bytes(), nil
}
