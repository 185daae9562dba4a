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

// rulesPage is the rules of a game, or what all tables have in common.
type rulesPage struct {
	guide.Page
	About, Length string
	Others        []choice // the other pages of rules
	New           string   // where a table of the game is opened
}

// Picture is where a picture of the rules stands, in a language.
func (p rulesPage) Picture(key, lang string) string {
	return "/rules/" + p.Key + "/" + key + ".svg?lang=" + lang
}

// Whole is the name for a heading: a dash in it begins and ends no line. After a dash a line may end even before a space
// that does not break, so the two are joined.
func (p rulesPage) Whole() string {
	return strings.ReplaceAll(p.Name, " – ", "\u00a0–\u2060\u00a0")
}

// inLanguage has the visit speak the language that the address asks for: a link in a mail leads to its reader's.
func (v *visit) inLanguage() {
	if lang := v.QueryParam("lang"); door.Known(lang) {
		v.Use(lang)
	}
}

// Rules is where the rules of a game stand; "" if nowhere.
func (v *visit) Rules(game string) string {
	if rb, ok := v.Rulebook(game); ok && rb.Extras().Guide != nil {
		return "/rules/" + game
	}
	return ""
}

// rules lists the pages of rules.
func (v *visit) rules() error {
	v.inLanguage()
	var list []offered
	for _, g := range v.Games() {
		if v.Rules(g.Game) != "" {
			list = append(list, v.offer(g))
		}
	}
	return v.render("ruleslist", sheet{Title: v.T("page.rules.title"), Styles: frontStyles, Body: list})
}

// rulesOf shows the rules of a game, or of all tables.
func (v *visit) rulesOf() error {
	v.inLanguage()
	page := rulesPage{Page: guide.OfTables(v.Book, v.Lang)}
	if v.Param("game") != guide.Tables {
		rb, err := v.gameOf()
		if err != nil {
			return err
		}
		written, ok := guide.Of(v.Book, rb, v.Lang)
		if !ok {
			return events.ErrNoStream
		}
		page = rulesPage{Page: written, About: v.ofGame(rb.Name(), "about"), Length: v.ofGame(rb.Name(), "length"), New: "/new/" + rb.Name()}
	}
	for _, g := range v.Games() {
		if path := v.Rules(g.Game); path != "" && g.Game != page.Key {
			page.Others = append(page.Others, choice{Value: path, Label: g.Name})
		}
	}
	if page.Key != guide.Tables {
		page.Others = append(page.Others, choice{Value: "/rules/" + guide.Tables, Label: v.T("rules.tables")})
	}
	return v.render("rules", sheet{Title: v.T("page.rules.of", "game", page.Name), Summary: page.About, Wide: true, Styles: rulesStyles, Body: page})
}

// rulesPicture shows a picture of a game's rules.
func (v *visit) rulesPicture() error {
	v.inLanguage()
	rb, err := v.gameOf()
	key, svg := strings.CutSuffix(v.Param("picture"), ".svg")
	if err != nil || !svg {
		return events.ErrNoStream
	}
	shown, _ := rb.Extras().Guide.Picture(key)
	d, err := v.site.drawn(strings.Join([]string{"rules", rb.Name(), key, v.Lang}, " "), shown.Panel, func() (domain.Scene, error) {
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

// whyRefused is where the rule stands about what was refused; "" if nowhere.
func (v *visit) whyRefused(r *domain.Refusal) string {
	rb, _ := v.Rulebook(v.Param("game"))
	if v.Table != (events.Name{}) {
		if look, err := v.Look(); err == nil {
			rb = look.Rulebook
		}
	}
	return guide.Path(rb, r.Code)
}
