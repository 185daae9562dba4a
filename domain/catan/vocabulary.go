package catan

import (
	"strings"

	"posthorn/domain"
)

// resourceNames are the words people use for the resources, folded; English, Portuguese, Polish.
var resourceNames = map[string]Resource{
	"brick": Brick, "bricks": Brick, "clay": Brick, "tijolo": Brick, "tijolos": Brick, "argila": Brick, "barro": Brick,
	"cegla": Brick, "cegly": Brick, "cegle": Brick, "cegiel": Brick, "glina": Brick, "gline": Brick, "gliny": Brick,
	"lumber": Lumber, "wood": Lumber, "timber": Lumber, "madeira": Lumber, "madeiras": Lumber,
	"drewno": Lumber, "drewna": Lumber, "drzewo": Lumber,
	"wool": Wool, "sheep": Wool, "la": Wool, "las": Wool, "ovelha": Wool, "ovelhas": Wool,
	"welna": Wool, "welne": Wool, "welny": Wool, "owca": Wool, "owce": Wool,
	"grain": Grain, "wheat": Grain, "corn": Grain, "trigo": Grain, "cereal": Grain, "cereais": Grain, "graos": Grain,
	"zboze": Grain, "zboza": Grain, "pszenica": Grain, "pszenice": Grain,
	"ore": Ore, "ores": Ore, "stone": Ore, "minerio": Ore, "minerios": Ore, "pedra": Ore, "pedras": Ore,
	"ruda": Ore, "rude": Ore, "rudy": Ore, "kamien": Ore, "kamienie": Ore,
}

func resourceNamed(word string) (Resource, bool) {
	r, ok := resourceNames[domain.Fold(word)]
	if !ok {
		return NoResource, false
	}
	return r, true
}

// cardNames are the words people use for the development cards, folded.
var cardNames = map[string]Card{
	"knight": Knight, "knights": Knight, "cavaleiro": Knight, "cavaleiros": Knight, "rycerz": Knight, "soldier": Knight,
	"point": Point, "points": Point, "vp": Point, "victory": Point, "victory-point": Point, "ponto": Point, "pontos": Point, "punkt": Point,
	"roads": Roads, "road-building": Roads, "estradas": Roads, "drogi": Roads,
	"plenty": Plenty, "year-of-plenty": Plenty, "abundancia": Plenty, "invencao": Plenty, "wynalazek": Plenty, "obfitosc": Plenty,
	"monopoly": Monopoly, "monopolio": Monopoly, "monopol": Monopoly,
}

func cardNamed(word string) (Card, bool) {
	c, ok := cardNames[domain.Fold(strings.ReplaceAll(strings.TrimSpace(word), " ", "-"))]
	return c, ok
}

// verbs are the words a move may begin with, folded, each to its English one.
var verbs = map[string]string{
	"settle": "settle", "settlement": "settle", "aldeia": "settle", "povoado": "settle", "povoar": "settle", "osada": "settle", "osade": "settle",
	"road": "road", "estrada": "road", "droga": "road", "droge": "road",
	"city": "city", "cidade": "city", "miasto": "city",
	"roll": "roll", "dice": "roll", "rolar": "roll", "lancar": "roll", "dados": "roll", "rzut": "roll", "rzuc": "roll",
	"buy": "buy", "comprar": "buy", "compra": "buy", "kup": "buy",
	"knight": "knight", "cavaleiro": "knight", "rycerz": "knight",
	"rob": "rob", "robber": "rob", "roubar": "rob", "ladrao": "rob", "zlodziej": "rob", "okradnij": "rob",
	"discard": "discard", "descartar": "discard", "descarta": "discard", "odrzuc": "discard",
	"bank": "bank", "banco": "bank", "harbour": "bank", "harbor": "bank",
	"offer": "offer", "oferecer": "offer", "oferta": "offer", "ofereco": "offer", "oferuj": "offer", "oferuje": "offer",
	"accept": "accept", "aceitar": "accept", "aceito": "accept", "yes": "accept", "sim": "accept", "przyjmij": "accept", "przyjmuje": "accept", "tak": "accept",
	"decline": "decline", "recusar": "decline", "recuso": "decline", "no": "decline", "nao": "decline", "odmow": "decline", "odmawiam": "decline", "nie": "decline",
	"confirm": "confirm", "confirmar": "confirm", "confirmo": "confirm", "potwierdz": "confirm",
	"counter": "counter", "contraproposta": "counter", "kontroferta": "counter",
	"withdraw": "withdraw", "retirar": "withdraw", "retiro": "withdraw", "wycofaj": "withdraw",
	"monopoly": "monopoly", "monopolio": "monopoly", "monopol": "monopoly",
	"plenty": "plenty", "abundancia": "plenty", "invencao": "plenty", "wynalazek": "plenty",
	"roads": "roads", "estradas": "roads", "drogi": "roads",
	"token": "token", "ficha": "token", "zeton": "token",
	"give": "give", "dar": "give", "dou": "give", "daj": "give", "oddaj": "give",
	"refill": "refill", "reabastecer": "refill", "uzupelnij": "refill",
	"neutral": "neutral", "neutro": "neutral", "neutralny": "neutral",
	"end": "end", "pass": "end", "fim": "end", "terminar": "end", "passar": "end", "koniec": "end",
	"order": "order", "ordem": "order", "polecenie": "order",
}

// The little words between.
var (
	wordsFor  = words("for", "por", "za", "against")
	wordsTo   = words("to", "a", "para", "dla", "do", "com", "with")
	wordsAll  = words("all", "everybody", "everyone", "anyone", "anybody", "todos", "qualquer", "wszystkich", "wszyscy", "kazdego", "kazdemu")
	wordsAsk  = words("ask", "perguntar", "pergunta", "spytaj", "zapytaj")
	wordsFrom = words("from", "de", "of", "od")
	wordsAnd  = words("and", "e", "i", "&")
	wordsTrd  = words("trade", "troca", "comercio", "handel", "wymiana")
	wordsDsr  = words("desert", "deserto", "pustynia", "robber", "ladrao")
)

func words(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, w := range list {
		m[w] = true
	}
	return m
}
