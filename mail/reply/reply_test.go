package reply

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestWhatIsQuotedIsNotTheirOwn(t *testing.T) {
	original := "Your turn: keep your card.\n\n    a  keep\n    b  swap\n"
	marked := "> " + strings.ReplaceAll(strings.TrimSpace(original), "\n", "\n> ") + "\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"alone": {"12 a\n", []string{"12 a"}},
		"above, Gmail English": {"12 a\n\nOn Sat, Nov 21, 2026 at 12:00 PM Posthorn " +
			"<posthorn@games.example.org>\nwrote:\n\n" + marked, []string{"12 a"}},
		"above, Gmail Portuguese": {"12 a\r\n\r\nEm sáb., 21 de nov. de 2026 às 12:00, Posthorn " +
			"<\r\nposthorn@games.example.org> escreveu:\r\n\r\n" + marked, []string{"12 a"}},
		"above, Gmail Polish": {"12 a\n\nsob., 21 lis 2026 o 12:00 Posthorn " +
			"<posthorn@games.example.org>\nnapisał(a):\n\n" + marked, []string{"12 a"}},
		"above, Thunderbird": {"12 a\n\nW dniu 21.11.2026 o 12:00, Posthorn pisze:\n" + marked, []string{"12 a"}},
		"above, Apple Mail": {"12 a\n\n> No dia 21/11/2026, às 12:00, Posthorn <a@b.c> escreveu:\n> \n" + marked,
			[]string{"12 a"}},
		"above, unmarked by Apple": {"12 a\n\nOn 21 Nov 2026, at 12:00, Posthorn <a@b.c> wrote:\n\n" + original,
			[]string{"12 a"}},
		"above, Outlook English": {"12 a\n\nFrom: Posthorn <a@b.c>\nSent: Saturday, 21 November 2026 " +
			"12:00\nTo: Bo\nSubject: Tiny\n\n" + original, []string{"12 a"}},
		"above, Outlook Polish": {"12 a\n\n________________________________\nOd: Posthorn <a@b.c>\nWysłano: " +
			"sobota, 21 listopada 2026 12:00\nDo: Bo\nTemat: Tiny\n\n" + original, []string{"12 a"}},
		"above, Outlook, no line": {"12 a\n\nOd: Posthorn <a@b.c>\nWysłano: sobota, 21 listopada 2026 " +
			"12:00\nDo: Bo\nTemat: Tiny\n\n" + original, []string{"12 a"}},
		"above, Outlook for a Mac": {"12 a\n\n*De: *Posthorn <a@b.c>\n*Data: *sábado, 21 de novembro " +
			"de 2026\n*Para: *Bo\n\n" + original, []string{"12 a"}},
		"above, Outlook German": {"12 a\n\n-----Ursprüngliche Nachricht-----\nVon: Posthorn\n" + original,
			[]string{"12 a"}},
		"above, mutt": {"12 a\n\nOn Sat, Nov 21, 2026 at 12:00:00PM +0000, Posthorn wrote:\n" + marked +
			"\n-- \nBo\n14 b\n", []string{"12 a"}},
		"below": {"On 2026-11-21 12:00, Posthorn wrote:\n" + marked + "\n12 a\n", []string{"12 a"}},
		"below, with a signature": {"On 2026-11-21 12:00, Posthorn wrote:\n" + marked +
			"\n12 a\n\n-- \nBo, 14 b\n14 b\n", []string{"12 a"}},
		"between":             {"> a  keep\n12 a\n> b  swap\nsay hi\n", []string{"12 a", "say hi"}},
		"lines and spaces":    {"\n\n 12\u00a0 a \n\n\n\nsay\thi\n\n", []string{"12 a", "", "say hi"}},
		"nothing that shows":  {"1\u200b2\u202e a\x00\n", []string{"12 a"}},
		"letters in parts":    {"e\u0301\n", []string{"é"}},
		"no reply at all":     {marked, nil},
		"wrote, but no quote": {"She wrote: nice\n12 a\n", []string{"She wrote: nice", "12 a"}},
		"a colon":             {"I play this:\n12 a\n", []string{"I play this:", "12 a"}},
	} {
		require.Equal(t, c.want, Own(c.text), name)
	}
}

// Somebody who leaves no empty line above what their program writes has written the line all the same.
func TestALineRightAboveTheQuotesIsTheirOwn(t *testing.T) {
	for _, wrote := range []string{
		"On Sun, 29 Nov 2026 at 12:40 Posthorn <games@example.org> wrote:",
		"On Sun, 29 Nov 2026 at 12:40 Posthorn\n<games@example.org> wrote:",
		"Op zo 29 nov 2026 om 12:40 schreef Posthorn <games@example.org>:",
		"Op zo 29 nov 2026 om 12:40 schreef Posthorn\n<games@example.org>:",
		"2026年11月29日(日) 12:40 Posthorn <games@example.org>:",
	} {
		require.Equal(t, []string{"12 a"}, Own("12 a\n"+wrote+"\n\nYour turn.\n22 24"), wrote)
		require.Equal(t, []string{"12 a", "end"}, Own("12 a\nend\n"+wrote+"\n> Your turn."), wrote)
	}
}

func TestWhatLinesAreFor(t *testing.T) {
	long := strings.Repeat("word ", 14) + "end"
	for _, c := range []struct {
		lines string
		want  []Line
	}{
		{"12 a", []Line{{Kind: KindOther, Text: "12 a"}}},
		{"say hello there|Diz: olá|powiedz cześć|SAY  x",
			[]Line{{Kind: KindSay, Text: "hello there"}, {Kind: KindSay, Text: "olá"}, {Kind: KindSay, Text: "cześć"},
				{Kind: KindSay, Text: "x"}}},
		{"say|saying x|says x", []Line{{Kind: KindOther, Text: "say"}, {Kind: KindOther, Text: "saying x"},
			{Kind: KindOther, Text: "says x"}}},
		{"say " + long + "|and on|so|| 12",
			[]Line{{Kind: KindSay, Text: long + " and on", Joined: []string{"and on"}},
				{Kind: KindOther, Text: "so"}, {Kind: KindOther, Text: " 12"}}},
		{"say " + long + " of it all|end", // a program that broke lines had broken the first
			[]Line{{Kind: KindSay, Text: long + " of it all"}, {Kind: KindOther, Text: "end"}}},
		{"say " + long[20:] + "|12 a", // the second had found room on the first
			[]Line{{Kind: KindSay, Text: long[20:]}, {Kind: KindOther, Text: "12 a"}}},
		{`"nice move"|“ładnie”|„ładnie”|«boa»`,
			[]Line{{Kind: KindQuote, Text: "nice move"}, {Kind: KindQuote, Text: "ładnie"},
				{Kind: KindQuote, Text: "ładnie"}, {Kind: KindQuote, Text: "boa"}}},
		{`"one|two" x|three"|12`, []Line{{Kind: KindQuote, Text: `one two" x three`}, {Kind: KindOther, Text: "12"}}},
		{`"never closed||12`, []Line{{Kind: KindOther, Text: `"never closed`}, {Kind: KindOther, Text: "12"}}},
		{`""|"`, []Line{{Kind: KindOther, Text: `""`}, {Kind: KindOther, Text: `"`}}},
		{"away|Away until Sunday|ausente até domingo|nie ma mnie do niedzieli|I'm away.|" +
			"Estarei fora até quinta-feira|Nie będzie mnie do czwartku|I will be away until Sunday",
			[]Line{{Kind: KindAway, Text: ""}, {Kind: KindAway, Text: "until Sunday"},
				{Kind: KindAway, Text: "até domingo"}, {Kind: KindAway, Text: "do niedzieli"},
				{Kind: KindAway, Text: ""}, {Kind: KindAway, Text: "até quinta-feira"},
				{Kind: KindAway, Text: "do czwartku"}, {Kind: KindAway, Text: "until Sunday"}}},
		{"back|Take back!|undo.|voltar|desfaça|Cofnij  ruch",
			[]Line{{Kind: KindBack}, {Kind: KindBack}, {Kind: KindBack}, {Kind: KindBack}, {Kind: KindBack},
				{Kind: KindBack}}},
		{"back in a week|I am back", []Line{{Kind: KindOther, Text: "back in a week"},
			{Kind: KindHere, Text: "I am back"}}},
		{"Hi Ana, I'm back, sorry!|I'm back on Sunday|I am back Sunday|I'm back, maybe|Yes, I'm back",
			[]Line{{Kind: KindHere, Text: "Hi Ana, I'm back, sorry!"}, {Kind: KindAway, Text: "I'm back on Sunday"},
				{Kind: KindAway, Text: "I am back Sunday"}, {Kind: KindOther, Text: "I'm back, maybe"},
				{Kind: KindOther, Text: "Yes, I'm back"}}},
		{"I'm back! How is everyone|Wróciłam! Cześć wszystkim, koniec tury",
			[]Line{{Kind: KindHere, Text: "I'm back! How is everyone"}, {Kind: KindOther, Text: "How is everyone"},
				{Kind: KindHere, Text: "Wróciłam! Cześć wszystkim, koniec tury"},
				{Kind: KindOther, Text: "Cześć wszystkim, koniec tury"}}},
		{"say :)|say : x", []Line{{Kind: KindSay, Text: ":)"}, {Kind: KindSay, Text: "x"}}},
		{"away from my desk until the ninth of next month, sorry about that",
			[]Line{{Kind: KindOther, Text: "away from my desk until the ninth of next month, sorry about that"}}},
	} {
		require.Equal(t, c.want, Sort(strings.Split(c.lines, "|")), c.lines)
	}
}

func TestWhatIsTooLongForTheChatIsCutWhereItSaysSo(t *testing.T) {
	for name, lines := range map[string][]string{
		"a line":                       Own("say " + strings.Repeat("ó", 3000)),
		"a broken line":                Own("say " + strings.Repeat(strings.Repeat("ó", 40)+"\n", 60)),
		"a quoted text":                Own("“" + strings.Repeat(strings.Repeat("ó", 400)+"\n", 8) + "ó”"),
		"a line that is just too long": Own("say " + strings.Repeat("o", longest-3)),
	} {
		all := Sort(lines)
		require.Len(t, all, 1, name)
		require.True(t, all[0].Cut, name)
		require.True(t, strings.HasSuffix(all[0].Text, "…"), name)
		require.True(t, utf8.ValidString(all[0].Text), name)
		require.LessOrEqual(t, len(all[0].Text), longest, name)
		require.Greater(t, len(all[0].Text), longest-20, name)
	}
	for _, line := range []string{"say " + strings.Repeat("o", longest-4), "say hm…",
		"say " + strings.Repeat("ó", 900)} {
		require.False(t, Sort(Own(line))[0].Cut)
	}
}

func TestFlowedTextIsJoinedAgain(t *testing.T) {
	require.Equal(t, "say one two three\n>quoted more\nend\n-- \nsig",
		unflow("say one \ntwo \nthree\n> quoted \n> more\n end\n-- \nsig", false))
	require.Equal(t, "12 a", unflow("1 \n2  \na", true))
	require.Equal(t, "12 a\n", unflow("12 a\n", false))
	require.Equal(t, "a \n>b", unflow("a \n> b", false), "a quote is not what was said before it")
}

func TestHTMLWithoutWhatItQuotes(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want []string
	}{
		"paragraphs": {"<html><head><title>9</title><style>a</style></head><body><p>12&nbsp;a</p><p>say " +
			"hi</p></body>", []string{"12 a", "", "say hi"}},
		"breaks":       {"<div>12\r\na<br>say hi<br/></div>", []string{"12 a", "say hi"}},
		"Gmail":        {`<div dir="ltr">12 a</div><br><div class="gmail_quote"><div class="gmail_attr">On Sat wrote:<br></div><blockquote>14 b<div>x</div></blockquote><div>y</div></div>`, []string{"12 a"}},
		"Thunderbird":  {`<div class="moz-cite-prefix">W dniu 21.11.2026 pisze:</div><blockquote>14 b</blockquote><p>12 a</p><div class="moz-signature">14 b</div>`, []string{"12 a"}},
		"Outlook web":  {`<div>12 a</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> P</div><div>14 b</div>`, []string{"12 a"}},
		"Outlook":      {`<p class="MsoNormal">12 a<o:p></o:p></p><div><p><b>Od:</b> Posthorn<br><b>Wysłano:</b> sobota<br><b>Do:</b> Bo<br><b>Temat:</b> Tiny</p></div><p>14 b</p>`, []string{"12 a"}},
		"iPhone":       {`12 a<br><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">On 21 Nov<br>14 b</blockquote></div>`, []string{"12 a"}},
		"preformatted": {"<pre>12 a\nsay hi</pre>", []string{"12 a", "say hi"}},
		"hidden":       {`<p style="display: none">14 b</p><img hidden><p>12 a</p>`, []string{"12 a"}},
		"never closed": {`<p>12 a<blockquote>14 b`, []string{"12 a"}},
		"text alone":   {"12 a", []string{"12 a"}},
	} {
		require.Equal(t, c.want, Own(HTML(c.page)), name)
	}
}

func mail(head, body string) []byte {
	return []byte(strings.ReplaceAll("From: Bo <bo@example.org>\nMessage-ID: <1@example.org>\n"+head+"\n\n"+body, "\n",
		"\r\n"))
}

func TestWhoWroteWhat(t *testing.T) {
	for name, c := range map[string]struct {
		head string
		from []string
	}{
		"plain":   {"From: bo@Example.org", []string{"bo@example.org"}},
		"named":   {`From: "Bo, B." <bo@example.org>`, []string{"bo@example.org"}},
		"encoded": {"From: =?iso-8859-2?q?=A3ukasz?= <l@example.org>", []string{"l@example.org"}},
		"several": {"From: a@example.org, b@example.org", []string{"a@example.org", "b@example.org"}},
		"twice":   {"From: a@example.org\r\nFrom: b@example.org", []string{"a@example.org", "b@example.org"}},
		"none":    {"To: a@example.org", nil}, "no address": {"From: Bo", nil},
	} {
		h, err := ReadHead([]byte(c.head + "\r\n\r\n12 a\r\n"))
		require.NoError(t, err, name)
		require.Equal(t, c.from, h.From(), name)
		require.Equal(t, []string{"12 a"}, h.Lines(), name)
	}
	h, err := ReadHead(mail("X: y", "a"))
	require.NoError(t, err)
	require.Equal(t, "1@example.org", h.MessageID())
	for _, bad := range []string{"", "\r\n\r\n", "no header\r\n",
		strings.Repeat("X: "+strings.Repeat("y", 80)+"\r\n", 2000) + "\r\n12 a"} {
		_, err := ReadHead([]byte(bad))
		require.ErrorIs(t, err, errMail, "%.20q", bad)
	}
}

func TestWhatNoPersonWrote(t *testing.T) {
	for head, want := range map[string]string{
		"X: y": "", "Auto-Submitted: no": "", "Auto-Submitted: auto-replied": "auto-submitted",
		"Auto-Submitted: auto-generated; x=y": "auto-submitted",
		"Precedence: bulk":                    "precedence", "Precedence: Auto_Reply": "precedence",
		"Precedence: first-class": "",
		"X-Autoreply: yes":        "autoresponder", "X-Autoreply: no": "",
		"X-Autorespond: Away": "autoresponder", "List-Id: <x.example.org>": "list",
		"Content-Type: multipart/report; boundary=x":           "report",
		"X-Auto-Response-Suppress: All":                        "",
		strings.TrimSpace(strings.Repeat("Received: x\n", 26)): "circle",
		strings.TrimSpace(strings.Repeat("Received: x\n", 25)): "",
	} {
		h, err := ReadHead(mail(head, "9"))
		require.NoError(t, err)
		require.Equal(t, want, h.Automatic("bo@example.org"), head)
	}
	h, err := ReadHead(mail("X: y", "9"))
	require.NoError(t, err)
	require.Equal(t, "no sender", h.Automatic(""))
	h, err = ReadHead([]byte("From: MAILER-DAEMON@example.org\r\n\r\n9"))
	require.NoError(t, err)
	require.Equal(t, "daemon", h.Automatic("x@example.org"))
}

// A program that says nowhere else that it is one says so at the beginning of the subject.
func TestANoticeOfAbsenceIsKnownByItsSubject(t *testing.T) {
	for subject, want := range map[string]string{
		"Out of office": "out of office", "Out of Office: Re: Catan: Ana, Bo #6bd3a1": "out of office",
		"Automatic reply: Catan: Ana, Bo #6bd3a1": "out of office",
		"Auto: Catan": "out of office", "Abwesenheitsnotiz: Catan": "out of office",
		"Automatische Antwort: Catan":                    "out of office",
		"=?utf-8?q?R=C3=A9ponse_automatique_=3A_Catan?=": "out of office", "Absence du bureau": "out of office",
		"Respuesta automática: Catan": "out of office",
		"Fuera de la oficina":         "out of office", "Resposta automática: Catan": "out of office",
		"Ausência temporária":                              "out of office",
		"=?iso-8859-2?q?Odpowied=BC_automatyczna:_Catan?=": "out of office", "Autoodpowiedź: Catan": "out of office",
		"Poza biurem":        "out of office",
		"Nieobecność: Catan": "out of office", "Risposta automatica: Catan": "out of office",
		"Automatisch antwoord: Catan": "out of office",
		"自動応答: Catan":                 "out of office", "OUT OF THE OFFICE until Monday": "out of office",
		"Re: Catan: Ana, Bo #6bd3a1": "", "RE: Out of office games: Ana, Bo #6bd3a1": "",
		"Odp: Catan: Urlop, Bo #6bd3a1": "", "Catan": "", "": "",
		"Vacationers: Ana, Bo #6bd3a1": "", "Autorem jest Bo": "",
	} {
		h, err := ReadHead(mail("Subject: "+subject, "12 a"))
		require.NoError(t, err)
		require.Equal(t, want, h.Automatic("bo@example.org"), subject)
	}
}

func TestEveryCharsetIsRead(t *testing.T) {
	for name, c := range map[string][2]string{
		"ISO 8859-2":      {"Content-Type: text/plain; charset=iso-8859-2", "say \xb3\xb1ka"},
		"Windows 1250":    {"Content-Type: text/plain; charset=windows-1250", "say \xb3\xb9ka"},
		"UTF-8":           {"Content-Type: text/plain; charset=utf-8", "say łąka"},
		"UTF-8 as ASCII":  {"Content-Type: text/plain; charset=us-ascii", "say łąka"},
		"UTF-8, not said": {"X: y", "say łąka"},
		"unknown":         {"Content-Type: text/plain; charset=x-martian", "say łąka"},
		"quoted printable": {"Content-Type: text/plain; " +
			"charset=utf-8\nContent-Transfer-Encoding: quoted-printable", "say =C5=82=C4=\n=85ka"},
		"base 64": {"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64",
			"c2F5IMWCxIVrYQ=="},
		"UTF-16 in base 64": {"Content-Type: text/plain; charset=utf-16le\nContent-Transfer-Encoding: base64",
			"cwBhAHkAIABCAQUBawBhAA=="},
		"unknown encoding": {"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: x-martian",
			"say łąka"},
		"a type that is none":    {"Content-Type: nonsense; charset", "say łąka"},
		"a parameter that isn't": {"Content-Type: text/plain; charset=utf-8; ; x", "say łąka"},
	} {
		h, err := ReadHead(mail(c[0], c[1]))
		require.NoError(t, err, name)
		require.Equal(t, []string{"say łąka"}, h.Lines(), name)
	}
	h, err := ReadHead(mail("X: y", "say caf\xe9"))
	require.NoError(t, err)
	require.Equal(t, []string{"say café"}, h.Lines(), "what is no UTF-8 is Windows'")
}

func FuzzReply(f *testing.F) {
	f.Add(mail("X: y", "12 a\n> x\n"), "bo@example.org")
	f.Add(mail("Content-Type: multipart/mixed; boundary=b",
		"--b\nContent-Type: text/html\n\n<p>12\n--b\nContent-Type: text/plain; format=flowed; "+
			"delsp=yes\n\n1 \n2\n--b--"), "")
	f.Add(mail("Content-Type: text/plain; charset=utf-7", "\"a\nb”\n-- \nOn 2026 x wrote:"), "x")
	f.Fuzz(func(t *testing.T, raw []byte, sender string) {
		h, err := ReadHead(raw)
		if err != nil {
			return
		}
		_, _, _ = h.MessageID(), h.From(), h.Automatic(sender)
		lines := h.Lines()
		require.LessOrEqual(t, len(lines), mostOwn)
		for i, l := range lines {
			require.True(t, utf8.ValidString(l))
			require.Equal(t, tidy(l), l)
			require.False(t, l == "" && (i == 0 || i == len(lines)-1 || lines[i-1] == ""))
		}
		for _, l := range Sort(lines) {
			require.NotContains(t, l.Text, "\n")
			require.True(t, l.Text != "" || l.Kind == KindAway)
		}
	})
}

// Phones and mail programs sign without a mark. What they write is nobody's words.
func TestTheSignatureOfAProgramIsNobodysWords(t *testing.T) {
	for _, signature := range []string{"Sent from my iPhone", "Get Outlook for iOS<https://aka.ms/o0ukef>",
		"Get Outlook for Android", "Wysłane z iPhone'a", "Wysłane z iPhone’a", "Wysłane z mojego Androida",
		"Wysłano z iPada", "Enviado do meu iPhone", "Enviado a partir do meu iPhone",
		"Wysłane za pomocą K-9 Mail", "Sent from Mail for Windows", "Enviado do Outlook para Android",
		"Enviado do Email para Windows", "Pobierz aplikację Outlook dla systemu Android",
		"Obter o Outlook para iOS", "Sent via the Samsung Galaxy S21, an AT&T 5G smartphone",
		"Sent with Proton Mail secure email.", "Sent from Yahoo Mail on Android", "Sent from my Samsung Galaxy",
		"Enviado com o Proton Mail", "Wysłano z aplikacji Poczta dla Windows",
		"Sent from Outlook for iOS|<https://x.example>"} {
		text := strings.ReplaceAll("well played!||"+signature, "|", "\n")
		require.Equal(t, []string{"well played!"}, Own(text), signature)
		require.Equal(t, []string{"well played!"}, Own(text+"\n\n> quoted\n"), signature)
	}
	for _, words := range []string{"Sent from my heart: well played", "Sent with love!", "Wysłane z miłością",
		"Enviado do fundo do coração"} {
		require.Equal(t, []string{"bye", words}, Own("bye\n"+words), words)
	}
	require.Equal(t, []string{"Sent from my iPhone", "so be brief"}, Own("Sent from my iPhone\nso be brief"))
}
