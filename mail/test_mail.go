package mail

import (
	"crypto/rand"
	"time"
)

// Test writes a mail that says only that it arrived, so that the host can look at its source.
func Test(from, to string, at time.Time) ([]byte, error) {
	const text = "This is a test mail of Posthorn. Look at its source: it should say spf=pass, dkim=pass and dmarc=pass.\r\n"
	env := envelope{From: from, FromName: "Posthorn", To: to, Subject: "A test mail of Posthorn", Date: at, MessageID: "test." + rand.Text() + "@" + domainOf(from)}
	return env.write(text, "<p>"+text+"</p>", nil)
}
