// Package bounce reads the mails that say what became of our mails: that they could not be delivered, or that a reader
// complained. Each arrives at an address that only this house can have made; the address names the letter, whatever the
// mail itself says.
//
// Everything here comes from strangers: sizes and counts are bounded, and a mail that cannot be read is no report. What
// must not live here: what follows from a bounce, which is up to the queue.
package bounce

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"regexp"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"

	"posthorn/mail"
)

// Bounds on how much of a mail is read. The rest is ignored.
const (
	maxMail  = 256 << 10 // octets of a mail
	maxPart  = 32 << 10  // octets of a part
	maxParts = 8
	maxBlock = 20 // recipients in a report
)

// Read returns what a mail to a letter's return address says. It returns an empty Return for a mail that says nothing
// about delivery, such as a holiday notice. sender is the envelope's, "" for a mail that must not be answered.
func Read(sender string, raw []byte) mail.Return {
	raw = raw[:min(len(raw), maxMail)]
	e, err := message.ReadWithOptions(bytes.NewReader(raw), &message.ReadOptions{MaxHeaderBytes: 64 << 10})
	if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		return mail.Return{}
	}
	typ, params, _ := mime.ParseMediaType(e.Header.Get("Content-Type"))
	if typ == "multipart/report" {
		return report(e, strings.ToLower(params["report-type"]))
	}
	if !returned(sender, e.Header) {
		return mail.Return{}
	}
	return plain(e)
}

// report reads a report as in RFC 6522: of delivery (RFC 3464, RFC 6533) or of a complaint (RFC 5965).
func report(e *message.Entity, kind string) mail.Return {
	parts := e.MultipartReader()
	if parts == nil {
		return mail.Return{}
	}
	for range maxParts {
		p, err := parts.NextPart()
		if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
			break
		}
		typ, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type"))
		switch {
		case typ == "message/delivery-status" || typ == "message/global-delivery-status":
			return delivery(blocks(p.Body))
		case typ == "message/feedback-report" && (kind == "feedback-report" || kind == ""):
			return complaint(blocks(p.Body))
		}
	}
	return mail.Return{}
}

// blocks reads groups of fields separated by empty lines.
func blocks(r io.Reader) (out []textproto.Header) {
	text, err := io.ReadAll(io.LimitReader(r, maxPart))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	for block := range bytes.SplitSeq(bytes.TrimSpace(text), []byte("\n\n")) {
		if len(out) == maxBlock {
			break
		}
		var h textproto.Header
		for line := range strings.SplitSeq(strings.NewReplacer("\n ", " ", "\n\t", " ").Replace(string(block)), "\n") {
			if name, value, ok := strings.Cut(line, ":"); ok {
				h.Add(strings.TrimSpace(name), strings.TrimSpace(value))
			}
		}
		if h.Len() > 0 {
			out = append(out, h)
		}
	}
	return out
}

// delivery returns the worst that a report says about a recipient. A mail that is delayed, or has arrived, is no
// bounce.
func delivery(all []textproto.Header) mail.Return {
	for _, h := range all {
		if action, _, _ := strings.Cut(strings.ToLower(h.Get("Action")), " "); action != "failed" {
			continue
		}
		why := h.Get("Diagnostic-Code")
		if _, text, ok := strings.Cut(why, ";"); ok {
			why = strings.TrimSpace(text)
		}
		return mail.Returned(statusIn.FindString(h.Get("Status")), why)
	}
	return mail.Return{}
}

// complaint reads a report that a reader called a mail junk. Other feedback, such as "not junk", is no complaint.
func complaint(all []textproto.Header) mail.Return {
	for _, h := range all {
		switch strings.ToLower(h.Get("Feedback-Type")) {
		case "abuse", "fraud", "virus", "opt-out", "opt-out-list", "other":
			return mail.Return{Kind: mail.ReturnComplaint, Why: h.Get("Feedback-Type")}
		}
	}
	return mail.Return{}
}

// returned reports whether a mail server wrote a mail that is no formal report. What people and their autoresponders
// write comes here too, since they answer to the envelope's sender.
func returned(sender string, h message.Header) bool {
	word, _, _ := strings.Cut(strings.ToLower(h.Get("Auto-Submitted")), ";")
	for _, name := range []string{"X-Autoreply", "X-Autorespond", "X-Auto-Response", "X-Vacation",
		"X-Auto-Reply-From"} {
		if h.Get(name) != "" {
			return false
		}
	}
	if strings.TrimSpace(word) == "auto-replied" && sender != "" {
		return false
	}
	local, _, _ := strings.Cut(strings.ToLower(sender), "@")
	return sender == "" || local == "mailer-daemon" || local == "postmaster"
}

// What to look for in free text: a status as in RFC 3463, or an SMTP answer.
var (
	statusIn = regexp.MustCompile(`\b[45]\.\d{1,3}\.\d{1,3}\b`)
	answerIn = regexp.MustCompile(`(?m)\b([45])[0-5]\d[ -]`)
	saysSo   = regexp.MustCompile(
		`(?i)undeliver|not be delivered|delivery (status|failure|has failed|failed)|failure notice|returned (mail|to sender)|mail delivery|able to deliver|delivery problem|(can|could) ?not deliver|n[ãa]o (foi )?entreg|nie dostarczon|zwrot`)
)

// plain reads a bounce that is only text.
func plain(e *message.Entity) mail.Return {
	text := readText(e)
	subject, _ := e.Header.Text("Subject") // left as it is if it cannot be decoded
	status, answer := statusIn.FindString(text), answerIn.FindStringSubmatch(text)
	switch {
	case status == "" && answer != nil && answer[1] == "5":
		status = "5.0.0"
	case status == "" && answer != nil:
		status = "4.0.0"
	}
	if !saysSo.MatchString(subject) && !saysSo.MatchString(text) {
		return mail.Return{} // autoresponders also send with an empty sender
	}
	why := ""
	for line := range strings.Lines(text) {
		if statusIn.MatchString(line) || answerIn.MatchString(line) {
			why = strings.TrimSpace(line)
			break
		}
	}
	return mail.Returned(status, why)
}

// readText returns the first text of a mail.
func readText(e *message.Entity) string {
	if parts := e.MultipartReader(); parts != nil {
		p, err := parts.NextPart()
		if p == nil || err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
			return ""
		}
		e = p
	}
	text, err := io.ReadAll(io.LimitReader(e.Body, maxPart))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	return string(text)
}
