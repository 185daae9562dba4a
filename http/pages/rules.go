package pages

import (
	"strings"

	"posthorn/domain"
	"posthorn/events"
	"posthorn/http/door"
	"posthorn/projections/guide"
)

// rulesStyles are the styles of the rules.
var rulesStyles = []string{"front.css", "rules.css"}

// rulesPage is the rules of a game, or those that all tables share.
type rulesPage struct {
	guide.Page
	About, Length string
	Others        []choice // the other rules pages
	New           string   // address for opening a table of the game
}

// Picture returns the address of a picture in the rules, in a language.
func (p rulesPage) Picture(key, lang string) string {
	return "/rules/" + p.Key + "/" + key + ".svg?lang=" + lang
}

// Whole returns the name for use in a heading, so that a dash in it neither begins nor ends a line. After a dash a line
// may break even before a non-breaking space, so the two are joined.
func (p rulesPage) Whole() string {
	return strings.ReplaceAll(p.Name, " – ", "\u00a0–\u2060\u00a0")
}

// inLanguage switches the visit to the language in the address, if any: a link in a mail has its reader's.
func (v publicPages) inLanguage() {
	if lang := v.QueryParam("lang"); door.Known(lang) {
		v.Use(lang)
	}
}

// Rules returns the address of a game's rules; "" if it has none.
func (v *visit) Rules(game string) string {
	if rb, ok := v.Rulebook(game); ok && rb.Extras().Guide != nil {
		return "/rules/" + game
	}
	return ""
}

// rules lists the rules pages.
func (v publicPages) rules() error {
	v.inLanguage()
	var list []offered
	for _, g := range v.Games() {
		if v.Rules(g.Game) != "" {
			list = append(list, v.offer(g))
		}
	}
	return v.render("ruleslist", sheet{Title: v.T("page.rules.title"), Styles: frontStyles, Body: list})
}

// rulesOf shows the rules of a game, or those of all tables.
func (v publicPages) rulesOf() error {
	v.inLanguage()
	if v.Param("game") == guide.Readings {
		return v.readings()
	}
	page := rulesPage{Page: guide.OfTables(v.Book, v.Lang)}
	if v.Param("game") != guide.Tables {
		rb, err := v.opening().gameOf()
		if err != nil {
			return err
		}
		written, ok := guide.Of(v.Book, rb, v.Lang)
		if !ok {
			return events.ErrNoStream
		}
		page = rulesPage{Page: written, About: v.ofGame(rb.Name(), "about"), Length: v.ofGame(rb.Name(), "length"),
			New: "/new/" + rb.Name()}
	}
	page.Others = v.otherRules(page.Key)
	return v.render("rules", sheet{Title: v.T("page.rules.of", "game", page.Name), Summary: page.About, Wide: true,
		Styles: rulesStyles, Body: page})
}

// otherRules lists the rules pages but one.
func (v publicPages) otherRules(than string) (list []choice) {
	for _, g := range v.Games() {
		if path := v.Rules(g.Game); path != "" && g.Game != than {
			list = append(list, choice{Value: path, Label: g.Name})
		}
	}
	if than != guide.Tables {
		list = append(list, choice{Value: "/rules/" + guide.Tables, Label: v.T("rules.tables")})
	}
	if than != guide.Readings {
		list = append(list, choice{Value: "/rules/" + guide.Readings, Label: v.T("page.readings.title")})
	}
	return list
}

// rulesPicture sends a picture from a game's rules.
func (v publicPages) rulesPicture() error {
	v.inLanguage()
	rb, err := v.opening().gameOf()
	key, svg := strings.CutSuffix(v.Param("picture"), ".svg")
	if err != nil || !svg {
		return events.ErrNoStream
	}
	shown, _ := rb.Extras().Guide.Picture(key)
	d, err := v.site.drawn(rb, strings.Join([]string{"rules", rb.Name(), key, v.Lang}, " "), shown.Panel,
		func() (domain.Scene, error) {
			scene, ok, err := guide.Picture(v.Book, rb, key, v.Lang)
			if err == nil && !ok {
				err = events.ErrNoStream
			}
			return scene, err
		})
	if err != nil {
		return err
	}
	return v.send(d, "public")
}

// whyRefused returns the addresses of the rule behind a refusal, and of the reading of a rulebook that it follows from;
// "" for what there is none of.
func (v publicPages) whyRefused(r *domain.Refusal) (rule, reading string) {
	rb, _ := v.Rulebook(v.Param("game"))
	if v.Table != (events.Name{}) {
		if look, err := v.Look(); err == nil {
			rb = look.Rulebook
		}
	}
	return guide.Path(rb, r.Code), guide.Reading(rb, r.Code)
}

// readingsPage is the register of readings, game by game.
type readingsPage struct {
	Games  []guide.Register
	Others []choice // the rules pages
}

// readings shows what the rulebooks leave open, and how each game reads it.
func (v publicPages) readings() error {
	var games []domain.Rulebook
	for _, g := range v.Games() {
		if rb, ok := v.Rulebook(g.Game); ok {
			games = append(games, rb)
		}
	}
	page := readingsPage{Games: guide.OfReadings(v.Book, games, v.Lang), Others: v.otherRules(guide.Readings)}
	title, lead := v.T("page.readings.title"), v.T("page.readings.lead")
	return v.render("readings", sheet{Title: title, Summary: lead, Wide: true, Styles: rulesStyles, Body: page})
}
