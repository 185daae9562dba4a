package mail

import (
	"crypto/rand"
	"fmt"
	"time"
)

// Test writes a mail that says only that it arrived, so that the host can look at its source.
func Test(from, to string, at time.Time) ([]byte, error) {
	const text = "This is a test mail of Posthorn. Look at its source: it should say spf=pass, " +
		"dkim=pass and dmarc=pass.\r\n"
	env := envelope{From: from, FromName: "Posthorn", To: to, Kind: "test",
		Subject: "A test mail of Posthorn", Date: at,
		MessageID: "test." + rand.Text() + "@" + domainOf(from)}
	return env.write(text, "<p>"+text+"</p>", nil)
}

// TestAnswer returns what writes a mail as a player's answer to a turn is: a move, above what it answers.
func TestAnswer(move string) func(from, to string, at time.Time) ([]byte, error) {
	return func(from, to string, at time.Time) ([]byte, error) {
		text := move + "\r\n\r\nOn " + at.Format("Mon, 2 Jan 2006") + ", Posthorn wrote:\r\n" +
			"> This is a test mail of Posthorn: the house plays the move above at a table in its memory.\r\n"
		env := envelope{From: from, FromName: "Posthorn", To: to, Kind: "test",
			Subject: "Re: A test mail of Posthorn", Date: at,
			MessageID: "test." + rand.Text() + "@" + domainOf(from)}
		return env.write(text, "<div>"+move+"</div><blockquote>This is a test mail of Posthorn.</blockquote>", nil)
	}
}

// Forgery returns a mail that claims to be signed, and that a mail server of this name found its signature good. Nobody
// must believe it.
func Forgery(server, from, to string, at time.Time) []byte {
	domain, date := domainOf(from), at.Format(time.RFC1123Z)
	return fmt.Appendf(nil, "Authentication-Results: %s; dkim=pass header.d=%s\r\n"+
		"Received: from forged by %s with ESMTP; %s\r\n"+
		"DKIM-Signature: v=1; a=rsa-sha256; d=%s; s=forged; h=From:To:Date; bh=AAAA; b=AAAA\r\n"+
		"From: <forged@%s>\r\nTo: <%s>\r\nDate: %s\r\n"+
		"Message-ID: <forged.%s@%s>\r\nSubject: A forged mail of posthorn doctor\r\n\r\nNobody "+
		"must believe this mail.\r\n",
		server, domain, server, date, domain, domain, to, date, rand.Text(), domain)
}
