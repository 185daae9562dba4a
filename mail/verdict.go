package mail

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/emersion/go-smtp"
)

// Verdict is what the next server answered about one letter: to its RCPT, to its DATA, or to
// its bytes. Every other fault is of the session, and says nothing about the letter.
type Verdict struct {
	Step   string // "recipient", "data", "message"
	Answer *smtp.SMTPError
}

// Error is the answer, with the step that it was given to.
func (v *Verdict) Error() string { return v.Step + ": " + v.Answer.Error() }

// Unwrap is the server's answer.
func (v *Verdict) Unwrap() error { return v.Answer }

// ForGood reports whether the letter is not to be tried again.
func (v *Verdict) ForGood() bool { return !v.Answer.Temporary() }

// Lost is a connection that ended, or a server that fell silent, while a letter was on its way.
// It may be the letter's fault or the server's, which shows in how other letters fare.
type Lost struct {
	Step string
	Err  error
}

// Error says when it was lost, and how.
func (l *Lost) Error() string { return l.Step + ": " + l.Err.Error() }

// Unwrap is how it was lost.
func (l *Lost) Unwrap() error { return l.Err }

// judged tells what a fault at a step of a letter means: a Verdict, a Lost, or a fault of the
// session.
func judged(step string, err error) error {
	var answer *smtp.SMTPError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &answer):
		return &Lost{Step: step, Err: err}
	case ofTheSession(answer):
		return fmt.Errorf("%s: %w", step, answer)
	}
	return &Verdict{Step: step, Answer: answer}
}

// ofTheSession reports whether an answer is about us and not about the letter, although it was
// given to one: many servers put off what they have against a client until it names a
// recipient (Postfix: smtpd_delay_reject).
func ofTheSession(a *smtp.SMTPError) bool {
	switch a.Code {
	case 421, // the server is closing, or has had enough of us (RFC 5321, 3.8)
		454, 530, 534, 535, 538: // signing in, or TLS, is wanted or fails (RFC 4954, RFC 3207)
		return true
	}
	switch status := [2]int(a.EnhancedCode[1:]); status {
	case [2]int{1, 7}, [2]int{1, 8}, // the sender's address or domain is not liked (RFC 3463)
		[2]int{4, 5}: // too much mail: also how a quota of a day is said
		return true
	}
	return false
}

var addressInText = regexp.MustCompile(`[^\s<>:;,"']+@[^\s<>:;,"']+`)

// withoutAddresses is a text that may be kept open and logged: servers like to name whom they
// refuse.
func withoutAddresses(text string) string {
	return addressInText.ReplaceAllString(text, "…")
}
