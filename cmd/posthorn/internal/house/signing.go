package house

import (
	"posthorn/mail"
	"posthorn/mail/sign"
)

// tellOfMail logs that the whole queue waits, or that it goes on.
func (h *House) tellOfMail(s mail.Standing) {
	if s.Stopped() {
		h.Logger.Error("the mail server takes no mail: all letters wait, none is lost, and it is tried "+
			"again every few minutes",
			"error", s.Why, "since", s.Since, "tries", s.Tries, "letters", s.Letters, "sign-ins", s.SignIns, "tables",
			s.Names())
		return
	}
	h.Logger.Info("the mail server takes mail again", "after", s.Tries, "letters", s.Letters, "was", s.Why)
}

// openSigning sets up signatures for mails that leave this machine.
func (h *House) openSigning() error {
	if h.Mailbox != nil || !h.Config.DKIM {
		return nil
	}
	signer, err := sign.Open(h.Config.Data, HelloOf(h.Config.From))
	if err != nil {
		return err
	}
	h.Sender.Composer.Sign = signer.Sign
	return nil
}
