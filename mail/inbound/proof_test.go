package inbound_test

import (
	"bytes"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"posthorn/events"
	"posthorn/events/people"
	"posthorn/mail"
	"posthorn/mail/authentic/providertest"
)

// own is the host's own mail server, which says what it found of signatures.
const own = "mx.games.example.org"

const received = "Received: from anywhere by " + own + " with ESMTP; Sat, 21 Nov 2026 12:00:01 +0000\r\n"

func result(server, says string) string {
	return "Authentication-Results: " + server + ";\r\n " + says + "\r\n"
}

// mailFrom returns somebody's mail as their mail program hands it to their provider. extra are more header lines.
func (h *house) mailFrom(from, to, id, extra, body string) []byte {
	return []byte(extra + "From: " + from + "\r\nTo: <" + to + ">\r\nDate: " + h.now.Now().Format(time.RFC1123Z) +
		"\r\nMessage-ID: <" + id +
		"@example.org>\r\nSubject: Re: x\r\n\r\n" + body + "\r\n")
}

// takes returns the log's word for what became of a mail.
func (h *house) takes(to string, raw []byte) string {
	h.T.Helper()
	h.log.Reset()
	require.NoError(h.T, h.door.Handle(h.Ctx, to, bo, raw))
	return outcome(h.log.String())
}

// Whoever knows the address of a letter's answers may forge all the rest. Nothing of that plays; its person is asked.
func TestAForgedAnswerPlaysNothing(t *testing.T) {
	for name, forge := range map[string]func(h *house, to string) []byte{
		"an address and a From": func(h *house, to string) []byte { return h.mailFrom(bo, to, "1", "", "keep") },
		"a signature that fails": func(h *house, to string) []byte {
			return bytes.Replace(providertest.Sign(h.mailFrom(bo, to, "1", "", "swap"), "example.org"), []byte("swap"),
				[]byte("keep"), 1)
		},
		"a signature of another domain": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom(bo, to, "1", "", "keep"), "eve.example")
		},
		"a signature of a domain above": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom(bo, to, "1", "", "keep"), "org")
		},
		"another server's results": func(h *house, to string) []byte {
			return append([]byte(result("mx.example.net", "dkim=pass header.d=example.org")+received),
				h.signedInVain(to)...)
		},
		"results that came with it": func(h *house, to string) []byte {
			return append([]byte(received+result(own, "dkim=pass header.d=example.org")+received),
				h.signedInVain(to)...)
		},
		"results of no server here": func(h *house, to string) []byte {
			return append([]byte(result(own, "dkim=pass header.d=example.org")), h.signedInVain(to)...)
		},
		"results that came with it to a server of another name": func(h *house, to string) []byte {
			came := "Received: from anywhere by mail.games.example.org with ESMTP; Sat, 21 Nov 2026 12:00:01 +0000\r\n"
			return append([]byte(came+result(own, "dkim=pass header.d=example.org")+received), h.signedInVain(to)...)
		},
		"results that came with it to a server that says no name": func(h *house, to string) []byte {
			came := "Received: (from anywhere); Sat, 21 Nov 2026 12:00:01 +0000\r\n"
			return append([]byte(came+result(own, "dkim=pass header.d=example.org")+received), h.signedInVain(to)...)
		},
		"results in a comment": func(h *house, to string) []byte {
			return append([]byte(result(own,
				"spf=pass (dkim=pass; dkim=pass header.d=example.org ; x) smtp.mailfrom=x")+received),
				h.signedInVain(to)...)
		},
		"results in somebody's name": func(h *house, to string) []byte {
			return append([]byte(result(own, `spf=pass smtp.mailfrom="; dkim=pass header.d=example.org ;"@eve.example`)+
				received), h.signedInVain(to)...)
		},
		"a result of SPF": func(h *house, to string) []byte {
			return append([]byte(result(own, "spf=pass smtp.mailfrom=example.org")+received), h.signedInVain(to)...)
		},
		"two results": func(h *house, to string) []byte {
			return append([]byte(result(own, "dkim=pass header.d=example.org; dkim=fail header.d=example.org")+
				received), h.signedInVain(to)...)
		},
		"a signature of a part": func(h *house, to string) []byte {
			partial := bytes.Replace(h.signedInVain(to), []byte("a=ed25519-sha256;"), []byte("a=ed25519-sha256; l=4;"),
				1)
			return append([]byte(result(own, "dkim=pass header.d=example.org")+received), partial...)
		},
		"a second From": func(h *house, to string) []byte {
			return append([]byte("From: "+bo+"\r\n"),
				providertest.Sign(h.mailFrom("eve@eve.example", to, "1", "", "keep"), "eve.example")...)
		},
		"two in one From": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom(bo+", eve@example.org", to, "1", "", "keep"), "example.org")
		},
		"a group in From": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom("Friends: "+bo+", eve@example.org;", to, "1", "", "keep"),
				"example.org")
		},
		"a group of one in From": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom("Friends: "+bo+";", to, "1", "", "keep"), "example.org")
		},
		"a group of nobody in From": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom("Friends:;, "+bo, to, "1", "", "keep"), "example.org")
		},
		"a second Date": func(h *house, to string) []byte {
			return append([]byte("Date: "+h.now.Now().Format(time.RFC1123Z)+"\r\n"),
				providertest.Sign(h.mailFrom(bo, to, "1", "", "keep"), "example.org")...)
		},
		"a second Content-Type": func(h *house, to string) []byte {
			return append([]byte("Content-Type: text/plain\r\n"),
				providertest.Sign(h.mailFrom(bo, to, "1", "Content-Type: text/html\r\n", "keep"), "example.org")...)
		},
		"a mail from before the letter": func(h *house, to string) []byte {
			raw := string(h.mailFrom(bo, to, "1", "", "keep"))
			return providertest.Sign([]byte(strings.Replace(raw, "12:00:00", "11:00:00", 1)), "example.org")
		},
		"a mail to somebody else": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom(bo, "eve@eve.example", "1", "", "keep"), "example.org")
		},
		"an unsigned Date": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom(bo, to, "1", "", "keep"), "example.org", "From", "To", "Subject")
		},
		"nothing that says what it answers": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom(bo, to, "1", "", "keep"), "example.org", "From", "Date", "Subject")
		},
		"an answer to no letter": func(h *house, to string) []byte {
			return providertest.Sign(h.mailFrom(bo, "x@eve.example", "1", "In-Reply-To: <x@example.org>\r\n", "keep"),
				"example.org")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.door.Checker.Server = own
			table := tinyTable(h)
			to, at := h.address(table, 1), h.last()
			require.Equal(t, "outcome: held", h.takes(to, forge(h, to)))
			require.Empty(t, h.story(table, at))
			require.Equal(t, []mail.Kind{mail.KindConfirm}, h.mailed(table),
				"its person is asked, and nobody else is told")
			require.Equal(t, "outcome: played",
				h.takes(to, providertest.Sign(h.mailFrom(bo, to, "2", "", "keep"), "example.org")),
				"the true one plays")
		})
	}
}

// Given a mail that the host's mail server has put into a mailbox, then its results are believed below the line of that
// delivery; what came with the mail is not, whatever it says of deliveries.
func TestResultsStandBelowADelivery(t *testing.T) {
	delivery := "Received: from " + own + " by " + own + " with LMTP; Sat, 21 Nov 2026 12:00:02 +0000\r\n"
	good := result(own, "dkim=pass header.d=example.org")
	for _, c := range []struct {
		above     string
		delivered bool
		becomes   string
	}{
		{delivery + good + received, true, "played"},
		{good + received, true, "played"},
		{delivery + good + received, false, "held"},
		{delivery + received + good + received, true, "held"},
		{received + delivery + good + received, true, "held"},
		{delivery + delivery + good + received, true, "held"},
		{good + delivery + received + good, false, "played"},
		{"Received: from x by mx.example.net with LMTP; Sat, 21 Nov 2026 12:00:02 +0000\r\n" + good + received, true,
			"held"},
	} {
		h := newHouse(t)
		h.door.Checker.Server, h.door.Checker.Delivered = own, c.delivered
		table := tinyTable(h)
		to := h.address(table, 1)
		require.Equal(t, "outcome: "+c.becomes, h.takes(to, append([]byte(c.above), h.signedInVain(to)...)), c.above)
	}
}

// signedInVain returns a mail with a signature that this house finds bad, so that only results could prove it.
func (h *house) signedInVain(to string) []byte {
	return bytes.Replace(providertest.Sign(h.mailFrom(bo, to, "1", "", "swap"), "example.org"), []byte("swap"),
		[]byte("keep"), 1)
}

func TestWhatProvesAnAnswer(t *testing.T) {
	for name, prove := range map[string]func(h *house, to, mark string) []byte{
		"a signature with what it answers": func(h *house, to, _ string) []byte {
			return providertest.Sign(h.mailFrom(bo, to, "1", "", "keep"), "example.org", "From", "To", "Date")
		},
		"a signature of the same organisation": func(h *house, to, _ string) []byte {
			return providertest.Sign(h.mailFrom(bo, to, "1", "", "keep"), "mail.example.org")
		},
		"a signature with the letter quoted": func(h *house, to, mark string) []byte {
			return providertest.Sign(h.mailFrom(bo, to, "1", "", "keep\r\n\r\n> "+mark), "example.org", "From", "Date",
				"Subject")
		},
		"what the host's mail server found": func(h *house, to, _ string) []byte {
			return append([]byte(result(own,
				"dkim=pass (2048-bit key; unprotected) header.d=example.org header.i=@example.org")+received),
				h.signedInVain(to)...)
		},
		"a name with a colon": func(h *house, to, _ string) []byte {
			return providertest.Sign(h.mailFrom(`"Bo: the one; (that is)" (of: Lisbon;) <`+bo+">", to, "1", "", "keep"),
				"example.org")
		},
		"the second of two signatures": func(h *house, to, _ string) []byte {
			return providertest.Sign(providertest.Sign(h.mailFrom(bo, to, "1", "", "keep"), "example.org"),
				"list.example")
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.door.Checker.Server = own
			table := tinyTable(h)
			text := h.composed(table, 1).Text
			_, after, ok := strings.Cut(text, "jej znak ")
			require.True(t, ok, text)
			to, at := h.address(table, 1), h.last()
			require.Equal(t, "outcome: played", h.takes(to, prove(h, to, after[:12])))
			require.Equal(t, []string{"reply: move B keep"}, h.story(table, at))
		})
	}
}

// A signed In-Reply-To proves an answer where it names a letter that went out to the same person about the same table.
func TestALetterThatWasAnsweredProvesTheAnswer(t *testing.T) {
	p := newPost(t)
	p.person("Ana", "en")
	one, other := tinyTable(p.house), tinyTable(p.house)
	p.deliver(one)
	p.deliver(other)
	about := map[events.Name]mail.Parts{}
	for _, m := range p.box.Messages() {
		parts, err := m.Read()
		require.NoError(t, err)
		id, err := p.table(parts)
		require.NoError(t, err)
		if m.To == bo {
			about[id] = parts
		}
	}
	letter := about[one]
	to, err := netmail.ParseAddress(letter.Header.Get("Reply-To"))
	require.NoError(t, err)
	answers := func(id string, l mail.Parts) string {
		raw := p.mailFrom(bo, p.address(other, 1), id, "In-Reply-To: "+l.Header.Get("Message-Id")+"\r\n", "keep")
		return p.takes(to.Address, providertest.Sign(raw, "example.org"))
	}
	require.Equal(t, "outcome: held", answers("1", about[other]))
	require.Equal(t, "outcome: played", answers("2", about[one]))
}

// table returns the table that a letter is about.
func (p *post) table(l mail.Parts) (name events.Name, err error) {
	id, ok, err := p.outbox.ByMessageID(p.Ctx, strings.Trim(l.Header.Get("Message-Id"), "<>"))
	require.True(p.T, ok)
	return id.Table, err
}

// One signed mail is one answer: whoever saw it on its way cannot send it to another letter's address, though that is
// among its recipients.
func TestASignedAnswerIsGoodOnce(t *testing.T) {
	h := newHouse(t)
	one, other := tinyTable(h), tinyTable(h)
	first, second := h.address(one, 1), h.address(other, 1)
	raw := providertest.Sign(h.mailFrom(bo, first+">, <"+second, "1", "", "keep"), "example.org")
	require.Equal(t, "outcome: played", h.takes(first, raw))
	require.Equal(t, "outcome: held", h.takes(second, raw))
}

// Many providers sign twice, with RSA and with Ed25519: all signatures of an answer count together, also where its
// person had to say that it is theirs. The Message-ID is often not signed.
func TestEachSignatureOfAnAnswerIsGoodOnce(t *testing.T) {
	h := newHouse(t)
	one, other := tinyTable(h), tinyTable(h)
	first, second := h.address(one, 1), h.address(other, 1)
	twice := func(from, id string) (both, outer, inner []byte) {
		raw := h.mailFrom(from, first+">, <"+second, id, "", "say "+id)
		inner = providertest.Sign(raw, "example.org", "From", "To", "Date")
		both = providertest.Sign(inner, "example.org", "From", "To", "Date", "Subject")
		as := func(raw []byte, other string) []byte {
			return bytes.Replace(raw, []byte("<"+id+"@"), []byte("<"+other+"@"), 1)
		}
		outer = as(slices.Concat(both[:len(both)-len(inner)], raw), id+"-outer")
		return both, outer, as(inner, id+"-inner")
	}
	both, outer, inner := twice(bo, "1")
	require.Equal(t, "outcome: said", h.takes(first, both))
	require.Equal(t, "outcome: held", h.takes(second, inner))
	require.Equal(t, "outcome: held", h.takes(second, outer))

	both, outer, inner = twice("bo@mail.example.org", "2")
	require.Equal(t, "outcome: held", h.takes(first, both))
	_, ok, err := h.door.Confirm(h.Ctx, h.asked(one), false)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "outcome: held", h.takes(second, inner))
	require.Equal(t, "outcome: held", h.takes(second, outer))
	_, outer, _ = twice("bo@mail.example.org", "3")
	require.Equal(t, "outcome: said", h.takes(second, outer), "a new mail of theirs is proved")
}

func TestWhoOnceSignedIsNeverTakenUnsigned(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, who := h.address(table, 1), h.Sees(table).Table.Places[1].Holders[0]
	unsigned := func(id string) string { return h.takes(to, h.mailFrom(bo, to, id, "", "say "+id)) }
	says := func() { require.NoError(t, h.people.SetSignedBy(h.Ctx, who, bo, people.Unsigned)) }
	require.Equal(t, "outcome: held", unsigned("0"))
	says()
	require.Equal(t, "outcome: said", unsigned("2"), "their provider signs nothing, as they say")
	require.Equal(t, "outcome: held", h.takes(to, h.signedInVain(to)), "but this one claims to be signed")
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom("bo@work.example", to, "3", "", "say x")),
		"and this is from elsewhere")
	require.Equal(t, "outcome: said",
		h.takes(to, providertest.Sign(h.mailFrom(bo, to, "4", "", "say 4"), "example.org")))
	require.Equal(t, "outcome: held", unsigned("5"))
	says()
	require.Equal(t, "outcome: held", unsigned("6"), "now it is known that they are signed")
}

// A mail whose signature DNS cannot say anything about comes again, and is not lost: after an hour its person is asked.
func TestAFaultOfDNSMakesAnAnswerWait(t *testing.T) {
	h := newHouse(t)
	table := tinyTable(h)
	to, at := h.address(table, 1), h.last()
	raw, other := h.posted(to, written(bo, "1", "say one")), h.posted(to, written(bo, "2", "keep"))
	h.dns.Down.Store(true)
	require.Error(t, h.door.Handle(h.Ctx, to, bo, raw))
	require.Empty(t, h.story(table, at))
	require.Empty(t, h.mailed(table))
	require.Equal(t, "outcome: held", h.takes(to, h.mailFrom(bo, to, "3", "", "keep")), "an unsigned one needs no DNS")
	h.dns.Down.Store(false)
	require.Equal(t, "outcome: said", h.takes(to, raw))
	h.dns.Down.Store(true)
	h.now.add(time.Hour)
	require.Equal(t, "outcome: held", h.takes(to, other))
}

// Once what a letter asked is over and the next one has gone out, a proved answer is told what is asked now, and one
// that nothing proves nothing; what it says expressly is said.
func TestALateAnswerIsToldSomethingIfItIsProved(t *testing.T) {
	p := newPost(t)
	table := tinyTable(p.house)
	p.deliver(table)
	turn := p.newest(bo)
	to, err := netmail.ParseAddress(turn.Header.Get("Reply-To"))
	require.NoError(t, err)
	p.answerTo(bo, turn, "keep")
	p.play(table, 0, "keep")
	p.play(table, 0, "roll")
	p.deliver(table)
	require.Equal(t, mail.KindTurn, p.mailed(table)[len(p.mailed(table))-1])
	next := p.newest(bo)
	require.NotEqual(t, turn.Header.Get("Reply-To"), next.Header.Get("Reply-To"), "the next letter")
	at, had := p.last(), len(p.mailed(table))
	require.Equal(t, "why: late and unproved", p.takes(to.Address, p.mailFrom(bo, to.Address, "9", "", "swap")))
	require.Len(t, p.mailed(table), had)
	require.Equal(t, "outcome: said",
		p.takes(to.Address, p.posted(to.Address, written(bo, "8", "say hello there", "away until Sunday"))))
	require.Equal(t, []string{"reply: said hello there"}, p.story(table, at), "it takes no absence")
	p.deliver(table)
	require.Contains(t, flat(p.newest(bo).Text), "Nowsza o tym stole wyszła do ciebie")
}

// What somebody wrote to others is no answer, though they signed it and it quotes the letter: who got it can bring it
// here. Nothing of it plays; its person is asked.
func TestAMailToOthersIsNoAnswer(t *testing.T) {
	const eve = "Eve <eve@eve.example>"
	signs := func(raw string, headers ...string) []byte {
		return providertest.Sign([]byte(raw), "example.org", headers...)
	}
	for name, brings := range map[string]func(to, mail string) []byte{
		"to somebody else": func(to, mail string) []byte { return signs("To: " + eve + "\r\n" + mail) },
		"which this house was added": func(to, mail string) []byte {
			return append([]byte("Cc: "+to+"\r\n"), signs("To: "+eve+"\r\n"+mail)...)
		},
		"to a list": func(to, mail string) []byte {
			return signs("To: chess@lists.example\r\nCc: " + eve + "\r\n" + mail)
		},
		"to a group": func(to, mail string) []byte { return signs("To: undisclosed-recipients:;\r\n" + mail) },
		"to nobody":  func(to, mail string) []byte { return signs(mail) },
		"to an address like this house's": func(to, mail string) []byte {
			return signs("To: " + strings.Replace(to, "games+", "game+", 1) + "\r\n" + mail)
		},
		"by a provider that does not sign To": func(to, mail string) []byte {
			return signs("To: "+eve+"\r\n"+mail, "From", "Date", "Subject", "In-Reply-To")
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPost(t)
			p.person("Ana", "en")
			table := tinyTable(p.house)
			p.deliver(table)
			letter := p.newest(bo)
			to, err := netmail.ParseAddress(letter.Header.Get("Reply-To"))
			require.NoError(t, err)
			at := p.last()
			raw := "From: " + bo + "\r\nDate: " + p.now.Now().Format(time.RFC1123Z) +
				"\r\nMessage-ID: <1@example.org>\r\nIn-Reply-To: " + letter.Header.Get("Message-Id") +
				"\r\nSubject: Fwd: " + letter.Header.Get("Subject") + "\r\n\r\nkeep\r\n\r\n> " +
				strings.ReplaceAll(letter.Text, "\n", "\n> ")
			require.Equal(t, "outcome: held", p.takes(to.Address, brings(to.Address, raw)))
			require.Empty(t, p.story(table, at))
			require.Equal(t, "outcome: played",
				p.takes(to.Address, signs("To: "+eve+"\r\nCc: "+to.Address+"\r\n"+strings.Replace(raw, "<1@", "<2@", 1),
					append(providertest.Usual, "Cc")...)), "whoever else gets it")
		})
	}
}
