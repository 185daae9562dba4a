package mail_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/projections/words"
)

// box is a running built-in mailbox.
type box struct {
	*mail.Mailbox
	t    *testing.T
	dir  string
	page http.Handler
}

func openBox(t *testing.T, dir string) *box {
	t.Helper()
	m, err := mail.OpenMailbox(dir)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
	book, err := theBook()
	require.NoError(t, err)
	return &box{m, t, dir, m.Page("/mailbox", book)}
}

func (b *box) transport() *mail.SMTP {
	b.t.Helper()
	tr, err := mail.NewSMTP(b.Address(), "localhost", 1)
	require.NoError(b.t, err)
	b.t.Cleanup(func() { _ = tr.Close() }) // the server may be gone
	return tr
}

func (b *box) put(to, raw string) error {
	_, err := b.transport().Send(context.Background(), "a@example.org", to,
		[]byte(strings.ReplaceAll(raw, "\n", "\r\n")))
	return err
}

func (b *box) get(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.page.ServeHTTP(w, local(httptest.NewRequest("GET", path, nil)))
	return w
}

func TestTheMailboxSpeaksAsTheHouseDoesToItsReader(t *testing.T) {
	b := openBox(t, t.TempDir())
	for lang, title := range map[string]string{"en": "The built-in mailbox", "pl": "Wbudowana skrzynka",
		"pt-BR": "A caixa de correio interna", "pt-PT": "A caixa de correio interna"} {
		r := local(httptest.NewRequest("GET", "/mailbox", nil))
		r.Header.Set("Accept-Language", "pl")
		r.AddCookie(&http.Cookie{Name: "lang", Value: lang})
		w := httptest.NewRecorder()
		b.page.ServeHTTP(w, r)
		require.Contains(t, w.Body.String(), `<html lang="`+lang+`">`)
		require.Contains(t, w.Body.String(), "<h1>"+title+"</h1>",
			"what was chosen counts, not what the browser prefers")
	}
	r := local(httptest.NewRequest("GET", "/mailbox", nil))
	r.Header.Set("Accept-Language", "pt-PT, en;q=0.5")
	r.AddCookie(&http.Cookie{Name: "lang", Value: "tlh"})
	w := httptest.NewRecorder()
	b.page.ServeHTTP(w, r)
	require.Contains(t, w.Body.String(), `<html lang="pt-PT">`)
}

func TestTheListSaysWhenAndWhatAsPeopleReadIt(t *testing.T) {
	b := openBox(t, t.TempDir())
	require.NoError(t, b.put("ana@example.org",
		"Subject: Carcassonne\nContent-Type: text/plain; charset=utf-8\n\nBo asks to take the game\nback to move "+
			"13.\n\nPlease answer.\n"))
	require.Len(t, b.Messages(), 1)
	at := b.Messages()[0].Received
	book, err := theBook()
	require.NoError(t, err)
	for _, lang := range words.Languages {
		r := local(httptest.NewRequest("GET", "/mailbox", nil))
		r.AddCookie(&http.Cookie{Name: "lang", Value: lang})
		w := httptest.NewRecorder()
		b.page.ServeHTTP(w, r)
		require.Contains(t, w.Body.String(), "<b>Bo asks to take the game back to move 13.</b>",
			"lines are broken for terminals, not here")
		require.Contains(t, w.Body.String(), book.Printer(lang, "", nil).Dated(at))
	}
}

// local returns a request by a browser on this machine.
func local(r *http.Request) *http.Request {
	r.RemoteAddr = "127.0.0.1:51000"
	return r
}

func TestTheMailboxAnswersBrowsersOnThisMachineAlone(t *testing.T) {
	b := openBox(t, t.TempDir())
	require.NoError(t, b.put("ana@example.org", "Subject: For Ana\n\nthe secret of Ana\n"))
	id := b.Messages()[0].ID
	ask := func(path, peer string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.Host, r.RemoteAddr = "localhost", peer
		for i := 0; i < len(header); i += 2 {
			if header[i] == "HTTP/1.0" {
				r.Proto, r.ProtoMajor, r.ProtoMinor = header[i], 1, 0
				continue
			}
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		b.page.ServeHTTP(w, r)
		return w
	}
	for _, path := range []string{"/mailbox", "/mailbox/", "/mailbox/" + id, "/mailbox/" + id + "/html",
		"/mailbox/" + id + "/text", "/mailbox/" + id + "/source", "/mailbox/nothing"} {
		for _, from := range [][]string{
			{"192.0.2.7:1234"}, {"[2001:db8::7]:1234"}, {"10.0.0.1:1"}, {"[::ffff:192.0.2.7]:1"}, {"pipe"}, {""},
			{"192.0.2.7:1234", "X-Forwarded-For", "127.0.0.1"},
			{"127.0.0.1:1234", "X-Forwarded-For", "192.0.2.7"}, {"127.0.0.1:1234", "X-Forwarded-For", "127.0.0.1"},
			{"127.0.0.1:1234", "Forwarded", "for=192.0.2.7"}, {"[::1]:1234", "Via", "1.1 proxy"},
			{"127.0.0.1:1234", "X-Real-IP", "192.0.2.7"},
			{"127.0.0.1:1234", "X-Forwarded-Host", "games.example.org"},
			{"127.0.0.1:1234", "X-Forwarded-Proto", "https"},
			{"127.0.0.1:1234", "CF-Connecting-IP", "192.0.2.7"},
			{"127.0.0.1:1234", "HTTP/1.0", "as a proxy that was told nothing speaks"},
		} {
			w := ask(path, from[0], from[1:]...)
			require.Equal(t, http.StatusForbidden, w.Code, "%s from %v", path, from)
			require.NotContains(t, w.Body.String(), "Ana")
			require.Contains(t, w.Body.String(), "--smtp", "it says what to do")
		}
	}
	for _, peer := range []string{"127.0.0.1:1234", "127.8.9.1:1", "[::1]:1234", "[::ffff:127.0.0.1]:1"} {
		w := ask("/mailbox", peer)
		require.Equal(t, http.StatusOK, w.Code, peer)
		require.Contains(t, w.Body.String(), "For Ana")
	}
}

func TestALetterTravelsBySMTPIntoTheMailboxPage(t *testing.T) {
	h, table, _ := waiting(t)
	b := openBox(t, filepath.Join(h.dir, "mailbox"))
	require.Empty(t, b.Messages())
	require.Contains(t, b.get("/mailbox").Body.String(), "No emails yet")
	require.Contains(t, b.get("/mailbox").Body.String(), `<a href="/">Posthorn</a>`, "a way back to the games")
	require.NoError(t, h.send(b.transport()))
	require.Equal(t, mail.StateSent, h.letterOf(table).State)
	require.Len(t, b.Messages(), 1)
	m := b.Messages()[0]
	require.Equal(t, "ana@example.org", m.To)
	list := b.get("/mailbox").Body.String()
	require.Contains(t, list, "/mailbox/"+m.ID)
	require.Contains(t, list, "Your turn")
	whole := b.get("/mailbox/" + m.ID).Body.String()
	require.NotContains(t, whole, "<iframe", "it is one page, and scrolls as one")
	bar, letter, found := strings.Cut(whole, "</header>")
	require.True(t, found)
	require.Contains(t, bar, `href="/mailbox"`)
	require.Contains(t, bar, "ana@example.org")
	require.Contains(t, letter, "Your turn")
	require.Contains(t, letter, `<img src="/mailbox/`+m.ID+"/")
	doc := b.get("/mailbox/" + m.ID + "/html").Body.String()
	require.NotContains(t, doc, "cid:")
	src := regexp.MustCompile(`<img src="([^"]+)"`).FindStringSubmatch(doc)
	require.NotNil(t, src)
	png := b.get(src[1])
	require.Equal(t, "image/png", png.Header().Get("Content-Type"))
	require.True(t, bytes.HasPrefix(png.Body.Bytes(), []byte("\x89PNG")))
	require.Contains(t, b.get("/mailbox/"+m.ID+"/text").Body.String(), "Your turn")
	require.Contains(t, b.get("/mailbox/"+m.ID+"/source").Body.String(),
		"Message-Id: <"+h.letterOf(table).MessageID+">")
}

func TestTheMailboxKeepsItsMailAcrossARestart(t *testing.T) {
	dir := t.TempDir()
	b := openBox(t, dir)
	require.NoError(t, b.put("ana@example.org", "Subject: one\n\nhello\n"))
	require.NoError(t, b.put("bo@example.org", "Subject: two\n\nhello\n"))
	want := b.Messages()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "half.eml.part"), []byte("cut off"), 0o600))
	again := openBox(t, dir).Messages()
	require.Len(t, again, 2)
	for i := range want {
		require.Equal(t, want[i].ID, again[i].ID, "the newest first")
		require.Equal(t, want[i].To, again[i].To)
		require.Equal(t, want[i].Raw, again[i].Raw)
	}
}

func TestTheListCanBeOfOnePersonsMail(t *testing.T) {
	b := openBox(t, t.TempDir())
	require.NoError(t, b.put("ana@example.org", "Subject: for-ana\n\nx\n"))
	require.NoError(t, b.put("bo@example.org", "Subject: for-bo\n\nx\n"))
	list := b.get("/mailbox?to=bo@example.org").Body.String()
	require.Contains(t, list, "for-bo")
	require.NotContains(t, list, "for-ana")
}

func TestNothingOutsideTheMailboxCanBeRead(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.eml"), []byte("Subject: outside\n\nsecret\n"), 0o600))
	b := openBox(t, filepath.Join(dir, "mailbox"))
	require.NoError(t, b.put("ana@example.org", "Subject: in\n\nx\n"))
	id := b.Messages()[0].ID
	for _, path := range []string{
		"/mailbox/../secret", "/mailbox/..%2Fsecret", "/mailbox/%2e%2e%2fsecret", "/mailbox/..%5csecret",
		"/mailbox/secret.eml", "/mailbox/" + id + ".eml",
		"/mailbox/" + id + "/..%2F..%2Fsecret.eml", "/mailbox/" + id + "/%2e%2e", "/mailbox/%00",
		"/mailbox/nothing/html", "/mailbox/" + id + "/no-such-picture", "/mailbox/*",
	} {
		w := b.get(path)
		require.NotEqual(t, 200, w.Code, path)
		require.NotContains(t, w.Body.String(), "secret\n", path)
	}
}

func TestForeignHTMLRunsInASandboxAndCallsNobody(t *testing.T) {
	b := openBox(t, t.TempDir())
	require.NoError(t, b.put("ana@example.org", "Subject: <script>alert(1)</script>\nContent-Type: text/html\n\n"+
		"<html><head></head><body><script>alert(1)</script><img src=https://tracker.example.com/x.png><form "+
		"action=/sign-out method=post></form></body></html>\n"))
	id := b.Messages()[0].ID
	for _, path := range []string{"/mailbox/" + id, "/mailbox/" + id + "/html"} {
		policy := b.get(path).Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'")
		require.Contains(t, policy, "img-src 'self'")
		require.Contains(t, policy, "sandbox ")
		require.NotContains(t, policy, "allow-scripts")
		require.NotContains(t, policy, "allow-forms")
	}
	bar, _, found := strings.Cut(b.get("/mailbox/"+id).Body.String(), "</header>")
	require.True(t, found)
	require.Contains(t, bar, "&lt;script&gt;")
	require.NotContains(t, bar, "<script>")
	for _, path := range []string{"/mailbox", "/mailbox/" + id, "/mailbox/" + id + "/html", "/mailbox/" + id + "/text",
		"/mailbox/" + id + "/source"} {
		w := b.get(path)
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"), path)
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"), path)
		require.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"), path)
		require.NotEmpty(t, w.Header().Get("Content-Security-Policy"), path)
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && path == "/mailbox" {
			require.NotContains(t, w.Body.String(), "<script>", path)
		}
	}
}

func TestTheMailboxOnlyReads(t *testing.T) {
	b := openBox(t, t.TempDir())
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} {
		w := httptest.NewRecorder()
		b.page.ServeHTTP(w, local(httptest.NewRequest(method, "/mailbox", nil)))
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
	}
}

func TestLimitsOfTheMailbox(t *testing.T) {
	b := openBox(t, t.TempDir())
	var answer *smtp.SMTPError
	err := b.put("ana@example.org", "Subject: big\n\n"+strings.Repeat(strings.Repeat("x", 70)+"\n", 20_000))
	require.True(t, errors.As(err, &answer), "%v", err)
	require.Equal(t, 552, answer.Code)
	require.Empty(t, b.Messages())
	for name, raw := range map[string]string{
		"nested": nestedParts(40), "many parts": "Content-Type: multipart/mixed; boundary=x\n\n" +
			strings.Repeat("--x\n\nhi\n", 500) + "--x--\n",
		"no header": "just text\n", "bad charset": "Content-Type: text/plain; charset=klingon\n\nnuqneH\n",
		"bad boundary": "Content-Type: multipart/mixed\n\nx\n",
		"bad encoding": "Content-Transfer-Encoding: base64\n\n!!!!\n",
	} {
		if err := b.put("ana@example.org", raw); err != nil {
			require.True(t, errors.As(err, &answer), "%s: %v", name, err)
			continue
		}
		id := b.Messages()[0].ID
		require.Contains(t, []int{200, 422}, b.get("/mailbox/"+id).Code, name)
		require.Equal(t, 200, b.get("/mailbox").Code, "%s: one bad mail does not hide the others", name)
	}
	require.Len(t, openBox(t, b.dir).Messages(), len(b.Messages()), "nor keeps the program from starting again")
}

func TestAnAddressThatWouldEndItsLineIsRefusedForGood(t *testing.T) {
	b := openBox(t, t.TempDir())
	c, err := textproto.Dial("tcp", strings.TrimPrefix(b.Address(), "smtp://"))
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	for _, step := range []struct{ say, want string }{
		{"", "220 "}, {"HELO localhost", "250 "}, {"MAIL FROM:<a@example.org>", "250 "},
		// would add a first line of its own to the stored file
		{"RCPT TO:<ana@example.org\rX-Other:line>", "553 5.1.3 "},
	} {
		if step.say != "" {
			require.NoError(t, c.PrintfLine("%s", step.say))
		}
		answer, err := c.ReadLine()
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(answer, step.want), "%q: %s", step.say, answer)
	}
}

// The library closes only what it already serves: stopped a moment earlier, it would wait for mails forever.
func TestAMailboxThatIsStoppedWhileItStartsEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	dir := t.TempDir()
	for range 10_000 { // the moment is brief
		m, err := mail.OpenMailbox(dir)
		require.NoError(t, err)
		require.ErrorIs(t, m.Run(ctx), context.Canceled)
	}
}

func nestedParts(depth int) string {
	var b strings.Builder
	for i := range depth {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	b.WriteString("Content-Type: text/plain\n\ndeep\n")
	for i := depth - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "--b%d--\n", i)
	}
	return b.String()
}

func FuzzReadMessage(f *testing.F) {
	f.Add([]byte("Subject: x\r\n\r\nhello"))
	f.Add([]byte(nestedParts(3)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := mail.Message{Raw: raw}.Read()
		if err == nil {
			require.LessOrEqual(t, len(p.Text)+len(p.HTML), 64<<20)
		}
	})
}
