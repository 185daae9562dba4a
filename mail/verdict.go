package mail

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/emersion/go-smtp"
)

// Verdict is the next server's answer about one letter: to its RCPT, to its DATA, or to its bytes. Every other fault
// belongs to the session, and says nothing about the letter.
type Verdict struct {
	Step   string // "recipient", "data", "message"
	Answer *smtp.SMTPError
}

// Error returns the answer, with the step that it was given to.
func (v *Verdict) Error() string { return v.Step + ": " + v.Answer.Error() }

// Unwrap returns the server's answer.
func (v *Verdict) Unwrap() error { return v.Answer }

// forGood reports whether the letter must not be tried again.
func (v *Verdict) forGood() bool { return !v.Answer.Temporary() }

// Lost is a connection that broke, or a server that fell silent, while a letter was on its way. It may be the fault of
// the letter or of the server: how other letters do shows which.
type Lost struct {
	Step string
	Err  error
}

// Error says at what step the connection broke, and how.
func (l *Lost) Error() string { return l.Step + ": " + l.Err.Error() }

// Unwrap returns how it broke.
func (l *Lost) Unwrap() error { return l.Err }

// judged returns what a fault at a letter's step means: a Verdict, a Lost, or a fault of the session.
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

// ofTheSession reports whether an answer is about us and not about the letter, although it came at a letter's step:
// many servers hold back what they have against a client until it names a recipient (Postfix: smtpd_delay_reject).
func ofTheSession(a *smtp.SMTPError) bool {
	switch a.Code {
	case 421, // the server is closing, or has had enough of us (RFC 5321, 3.8)
		454, 530, 534, 535, 538: // sign-in or TLS is required or has failed (RFC 4954, RFC 3207)
		return true
	}
	switch status := [2]int(a.EnhancedCode[1:]); status {
	case [2]int{1, 7}, [2]int{1, 8}, // the server objects to the sender's address or domain (RFC 3463)
		[2]int{4, 5}: // too much mail: also used for a daily quota
		return true
	}
	return false
}

var addressInText = regexp.MustCompile(`[^\s<>:;,"']+@[^\s<>:;,"']+`)

// withoutAddresses returns a text that is safe to keep unsealed and to log: servers like to name the people they
// refuse.
func withoutAddresses(text string) string {
	return addressInText.ReplaceAllString(text, "…")
}
