package main

import "posthorn/mail"

// tellOfMail logs that the queue waits as a whole, or goes on.
func (h *house) tellOfMail(s mail.Standing) {
	if s.Stopped() {
		h.logger.Error("the mail server takes no mail: all letters wait, none is lost, and it is tried again every few minutes",
			"error", s.Why, "since", s.Since, "tries", s.Tries, "letters", s.Letters, "sign-ins", s.SignIns, "tables", s.Names())
		return
	}
	h.logger.Info("the mail server takes mail again", "after", s.Tries, "letters", s.Letters, "was", s.Why)
}
