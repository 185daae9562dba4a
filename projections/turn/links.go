package turn

import (
	"net/url"
	"strconv"
	"strings"

	"posthorn/events"
	"posthorn/projections/guide"
)

// Links are the URLs that mails carry and pages answer to, under the one configured public address. Tokens are the
// texts of passes (events/pass) or of sign-in links (events/people). Opening any of these URLs changes nothing.
type Links struct{ Base string }

func (l Links) at(path string) string { return strings.TrimSuffix(l.Base, "/") + path }

// Home returns the front page, which is the inbox for somebody signed in.
func (l Links) Home() string { return l.at("/") }

// Pass returns the page of a pass: to play, to answer a proposal, to join.
func (l Links) Pass(token string) string { return l.at("/p/" + token) }

// Choice returns the page of a pass with steps already chosen, of what was asked at a version of the line: a decision
// may ask for one thing after another, and the steps answer the one.
func (l Links) Choice(token string, version uint64, keys ...string) string {
	return l.Pass(token) + "?" + url.Values{"c": keys}.Encode() + "&asked=" + strconv.FormatUint(version, 10)
}

// SignIn returns the page of a sign-in link.
func (l Links) SignIn(token string) string { return l.at("/sign-in/" + token) }

// Try returns the page of a sign-in link that also opens a first game.
func (l Links) Try(token, game string) string { return l.SignIn(token) + "?game=" + game }

// Unsubscribe returns the page, and the one-click POST, of a pass that stops mails.
func (l Links) Unsubscribe(token string) string { return l.at("/u/" + token) }

// Withdraw returns the page of a pass that withdraws all other passes of its person.
func (l Links) Withdraw(token string) string { return l.at("/w/" + token) }

// Forget is the address of the page by which somebody deletes their account.
func (l Links) Forget(token string) string { return l.at("/f/" + token) }

// Lost is the address of the page of a link about somebody's lost address.
func (l Links) Lost(token string) string { return l.at("/lost/" + token) }

// Back is the address of the page that takes a change of somebody's addresses back.
func (l Links) Back(token string) string { return l.at("/b/" + token) }

// Confirm returns the page of a pass that says whose an answer by mail is.
func (l Links) Confirm(token string) string { return l.at("/a/" + token) }

// Rule returns a rule's full URL in a language; "" if path is "". path comes from [guide.Path].
func (l Links) Rule(path, lang string) string {
	if path == "" {
		return ""
	}
	return l.at(guide.In(path, lang))
}

// Table returns a table's page.
func (l Links) Table(table events.Name) string { return l.at("/t/" + table.String()) }

// Story returns the page about how a table's game went, for sending to anybody.
func (l Links) Story(table events.Name) string { return l.Table(table) + "/story" }

// Card returns the picture of a finished game that goes with its address, in a language.
func (l Links) Card(table events.Name, lang string) string {
	return l.Table(table) + "/card.png?" + url.Values{"lang": {lang}}.Encode()
}

// Moment returns the permanent page of a version of a line.
func (l Links) Moment(table, line events.Name, version uint64) string {
	return l.at("/t/" + table.String() + "/line/" + line.String() + "/" + strconv.FormatUint(version, 10))
}
