package main

import (
	"posthorn/mail"
	"posthorn/mail/sign"
)

// tellOfMail logs that the queue waits as a whole, or goes on.
func (h *house) tellOfMail(s mail.Standing) {
	if s.Stopped() {
		h.logger.Error("the mail server takes no mail: all letters wait, none is lost, and it is tried again every few minutes",
			"error", s.Why, "since", s.Since, "tries", s.Tries, "letters", s.Letters, "sign-ins", s.SignIns, "tables", s.Names())
		return
	}
	h.logger.Info("the mail server takes mail again", "after", s.Tries, "letters", s.Letters, "was", s.Why)
}

// openSigning lets mails be signed that leave this machine.
func (h *house) openSigning() error {
	if h.mailbox != nil || !h.cfg.DKIM {
		return nil
	}
	signer, err := sign.Open(h.cfg.Data, helloOf(h.cfg.From))
	if err != nil {
		return err
	}
	h.sender.Composer.Sign = signer.Sign
	return nil
}
