package browser

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/cmd/posthorn/internal/posthorntest"
)

// A newcomer gets from the front page to a first move, on a phone.
func TestANewcomerMovesAfterThreePressesAndOneMail(t *testing.T) {
	t.Parallel()
	p := posthorntest.Start(t, posthorntest.Binary(t), "127.0.0.1:0", "run", "--data", t.TempDir(), "--pause", "1ms")
	b, presses := newBrowser(t, 390, 844), 0
	press := func(selector string) {
		t.Helper()
		presses++
		b.press(selector)
	}
	b.open(p.Base + "/")
	b.shot("newcomer-front")
	b.do(chromedp.SetValue(`.try input[name=address]`, "eva@example.org"))
	press(".try button.go")
	var link string
	for deadline := time.Now().Add(posthorntest.Patient); link == "" &&
		time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if ids := posthorntest.MailLinks.FindAllStringSubmatch(p.Get("/mailbox?to=eva@example.org"), -1); len(ids) > 0 {
			link = posthorntest.SignInLink.FindString(p.Get("/mailbox/" + ids[len(ids)-1][1] + "/text"))
		}
	}
	require.NotEmpty(t, link, "%s", p.Log)
	presses++ // in the mail
	b.open(p.Base + link)
	b.do(chromedp.SetValue(`main input[name=name]`, "Eva"))
	press("main form button.go")
	require.LessOrEqual(t, presses, 3)
	for deadline := time.Now().Add(posthorntest.Patient); !b.has(`svg a.spot`) &&
		time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		continue // the computer may begin, and the page then shows its move without a press
	}
	require.True(t, b.has(`h1.mine`) && b.has(`svg a.spot`), "%s", b.text("main"))
	b.shot("newcomer-move")
}
