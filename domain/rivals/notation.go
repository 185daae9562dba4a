package rivals

import (
	"strconv"
	"strings"

	"posthorn/domain"
)

// The notation's words, each with what people type instead in Portuguese and Polish.
var verbWords = map[string]Verb{}

// verbNames are the canonical verbs.
var verbNames = [verbs]string{
	Stack: "stack", Hand: "hand", Arrange: "arrange", RollDice: "roll", Close: "close", PlayCard: "play", Road: "road", Settle: "settle",
	City: "city", Build: "build", Bank: "bank", Remove: "remove", End: "end", Draw: "draw", LayOff: "discard", Swap: "swap",
	Search: "search", Pass: "pass", PayFrom: "pay", Into: "into", Take: "take", Save: "save", Buy: "buy", React: "react",
	Bury: "bury", NameCard: "name", Lose: "lose", Give: "give", Corners: "corners", SwapPlaces: "move", SwapCards: "move",
}

var verbAliases = map[Verb]string{
	Stack: "pilha stos", Hand: "mao reka", Arrange: "dispor uloz keep manter zostaw", RollDice: "lancar rzut rzuc", PlayCard: "jogar zagraj",
	Road: "estrada droga", Settle: "aldeia settlement osada", City: "cidade miasto", Build: "construir buduj", Bank: "banco bank wymien trocar",
	Remove: "retirar usun", End: "fim koniec terminar", Close: "encerrar zamknij", Draw: "comprar recolher dobierz", LayOff: "descartar odloz", Swap: "permutar podmien",
	Search: "procurar szukaj", Pass: "passar pas", PayFrom: "pagar zaplac", Into: "guardar do", Take: "gain tomar receber wez", Save: "poupar oszczedz",
	Buy: "adquirir kup", React: "reagir reaguj", Bury: "enterrar zakop", NameCard: "nomear wskaz", Lose: "perder trac strac", Give: "dar daj",
	Corners: "cantos narozniki", SwapPlaces: "mover przenies relocate",
}

var (
	resWords = map[string]Res{
		"brick": Brick, "argila": Brick, "tijolo": Brick, "glina": Brick, "cegla": Brick,
		"grain": Grain, "cereais": Grain, "cereal": Grain, "trigo": Grain, "wheat": Grain, "zboze": Grain,
		"lumber": Lumber, "madeira": Lumber, "wood": Lumber, "drewno": Lumber,
		"wool": Wool, "la": Wool, "sheep": Wool, "welna": Wool,
		"ore": Ore, "minerio": Ore, "minerais": Ore, "ruda": Ore,
		"gold": GoldRes, "ouro": GoldRes, "zloto": GoldRes,
	}
	sideWords = map[string]uint8{
		"above": above, "acima": above, "nad": above, "powyzej": above, "a": above,
		"below": below, "abaixo": below, "pod": below, "ponizej": below, "b": below,
	}
	rightWords = map[string]bool{"left": false, "esquerda": false, "lewo": false, "lewa": false, "right": true, "direita": true, "prawo": true, "prawa": true}
	keepWords  = map[string]bool{"keep": true, "manter": true, "zostaw": true}
	cardWords  = map[string]Card{}
)

func init() {
	for v, name := range verbNames {
		if name != "" && verbWords[name] == NoVerb {
			verbWords[name] = Verb(v)
		}
	}
	for v, words := range verbAliases {
		for _, w := range strings.Fields(words) {
			verbWords[w] = v
		}
	}
	for i, p := range printings {
		if i == 0 {
			continue
		}
		cardWords[p.Name] = Card(i)
		if p.Row.Short != "" && p.Name != p.Row.ID {
			cardWords[p.Row.Short+strings.TrimPrefix(p.Name, p.Row.ID)] = Card(i)
		}
		if _, taken := cardWords[p.Row.Short]; p.Row.Short != "" && !taken {
			cardWords[p.Row.Short] = Card(i)
		}
	}
	nameCardsIn(cardWords)
}

// fold brings a card's name to the form of cardWords.
func fold(text string) string { return strings.Join(tokens(text), "_") }

// tokens splits what was typed. A minus before a digit stays; apostrophes and full stops fall
// away, other signs are spaces. An underscore joins the words of a name, and does nothing else.
func tokens(text string) (words []string) {
	rs := []rune(domain.Fold(text))
	var b strings.Builder
	prev := ' '
	for i, r := range rs {
		switch {
		case r == '-' && prev == ' ' && i+1 < len(rs) && rs[i+1] >= '0' && rs[i+1] <= '9':
			b.WriteRune(r)
		case strings.ContainsRune("-,;()[]", r):
			r = ' '
			b.WriteRune(r)
		case strings.ContainsRune("'\".!", r):
			continue
		default:
			b.WriteRune(r)
		}
		prev = r
	}
	for _, w := range strings.Fields(b.String()) {
		if w = strings.Trim(w, "_"); w != "" {
			words = append(words, w)
		}
	}
	return words
}

// reader takes words off the front of what was typed.
type reader struct {
	words []string
	bad   bool
}

func (r *reader) more() bool { return len(r.words) > 0 }

func (r *reader) next() string {
	if len(r.words) == 0 {
		r.bad = true
		return ""
	}
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

func (r *reader) peek() string {
	if len(r.words) == 0 {
		return ""
	}
	return r.words[0]
}

// card reads a card's name, the longest run of words that is one. "?" is a hidden card.
func (r *reader) card() Card {
	c, n := r.ahead()
	r.words, r.bad = r.words[n:], r.bad || n == 0
	return c
}

// ahead is the card whose name comes next, and of how many words that is; 0 if none does.
func (r *reader) ahead() (Card, int) {
	for n := min(6, len(r.words)); n > 0; n-- {
		if c, ok := cardWords[strings.Join(r.words[:n], "_")]; ok {
			return c, n
		}
	}
	return NoCard, 0
}

func (r *reader) number(least, most int) int {
	n, err := strconv.Atoi(r.next())
	if err != nil || n < least || n > most {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) res() resWord {
	res, ok := resWords[r.next()]
	if !ok {
		r.bad = true
		return 0
	}
	return wordRes(res)
}

func (r *reader) place() placeWord {
	w := r.next()
	if w == "esconderijo" || w == "skrytka" {
		w = "cache"
	}
	p, ok := placeNamed(w)
	if !ok && sideWords[r.peek()] != 0 { // "0 above" for "0a"
		p, ok = placeNamed(w + "ab"[sideWords[r.peek()]-1:sideWords[r.peek()]])
		r.next()
	}
	if !ok {
		r.bad = true
		return 0
	}
	return wordPlace(p)
}

func (r *reader) side() uint8 {
	s := sideWords[r.next()]
	if s == 0 {
		r.bad = true
	}
	return s
}

// site reads "0 above", or "0a".
func (r *reader) site() (at int8, side uint8) {
	w := r.peek()
	if p, ok := placeNamed(w); ok && p != cachePlace {
		r.next()
		return int8(p.gap() - origin), uint8(p.side()) + 1
	}
	return int8(r.number(-origin, gaps-origin-1)), r.side()
}

func (r *reader) land() Land {
	w := r.next()
	if n := r.peek(); len(n) == 1 && n[0] >= '1' && n[0] <= '6' {
		w += r.next()
	}
	if len(w) > 1 {
		if t, ok := landWords[w[:len(w)-1]]; ok {
			w = t.Terrain() + w[len(w)-1:]
		}
	}
	l, ok := landNamed(w)
	if !ok {
		r.bad = true
	}
	return l
}

var landWords = map[string]Res{
	"hills": Brick, "colina": Brick, "wzgorza": Brick, "fields": Grain, "lavoura": Grain, "pola": Grain, "forest": Lumber, "floresta": Lumber, "las": Lumber,
	"pasture": Wool, "pasto": Wool, "pastwisko": Wool, "mountains": Ore, "montanha": Ore, "gory": Ore, "gold_field": GoldRes, "filao": GoldRes, "zloza": GoldRes,
}
