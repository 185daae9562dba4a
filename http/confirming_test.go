package http_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is about to be played is said in the reader's language, also where the move is in no list.
func TestAnOfferIsConfirmedInTheReadersWords(t *testing.T) {
	h := open(t)
	ana, bo, carl := h.signedIn("Ana"), h.signedIn("Bo"), h.signedIn("Carl")
	table := h.given("catan", trading, ana, bo, carl)
	for lang, says := range map[string]string{"en": "offer 1 lumber for 1 ore to",
		"pt-PT": "oferecer 1 madeira por 1 minério a", "pl": "oferta: 1 drewno za: 1 ruda, dla:"} {
		ana.send("/language", map[string][]string{"lang": {lang}})
		p := ana.get("/t/" + table + "?m=offer+1+lumber+for+1+ore")
		_, what, _ := strings.Cut(p.body, `<p class="what">`)
		what, _, _ = strings.Cut(what, "</p>")
		require.Contains(t, strings.NewReplacer("\u00a0", " ", "\u2068", "", "\u2069", "").Replace(what), says)
	}
}

// The page that asks whether to play a move says what it scores at once.
func TestAConfirmationSaysWhatItScores(t *testing.T) {
	h := open(t)
	ana, bo := h.signedIn("Ana"), h.signedIn("Bo")
	table := h.given("carcassonne", `{"tiles":[{"tile":"E","x":0,"y":0,"turn":0,"figures":[{"seat":"A","on":"city N"}]}],"tile":"E","to_move":"A"}`, ana, bo)
	require.Contains(t, ana.get("/t/"+table+"?m=0,-1+180").body, "Brings 4 points", "the city is closed")
	require.NotContains(t, ana.get("/t/"+table+"?m=1,0+0").body, "Brings")
}
