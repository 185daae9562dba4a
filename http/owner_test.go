package http_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given a browser in which Ana is signed in, when a link that was mailed to Eve is opened there, then its page names
// both, in Eve's language, and nobody changes before the button is pressed.
func TestALinkForSomebodyElseAsksFirst(t *testing.T) {
	for lang, asks := range map[string][]string{
		"en":    {"Continue as Eve?", "You are Ana.", "Continue as"},
		"pt-BR": {"Continuar como Eve?", "Agora você está como Ana."},
		"pt-PT": {"Continuar como Eve?", "A sessão aberta é de Ana."},
		"pl":    {"Kontynuować jako Eve?", "Teraz zalogowana jest osoba: Ana."},
	} {
		t.Run(lang, func(t *testing.T) {
			h := open(t)
			eve, ana := h.signedIn("Eve"), h.signedIn("Ana")
			require.NoError(t, h.people.SetLanguage(t.Context(), eve.id, lang))
			h.browser().send("/sign-in", url.Values{"address": {"eve@example.org"}})
			link := "/sign-in/" + h.post.last(t).token
			p := ana.get(link)
			for _, text := range asks {
				require.Contains(t, p.body, text)
			}
			require.Contains(t, ana.get("/settings").body, "ana@example.org", "opening it changed nothing")
			require.NotContains(t, eve.get(link).body, asks[0], "Eve herself is not asked")
			require.Regexp(t, `<p>[^<]*Eve[^<]*</p>`, h.browser().get(link).body,
				"nor is nobody, but the page says whose it is")
			ana.send(link, nil)
			require.Contains(t, ana.get("/settings").body, "eve@example.org")
		})
	}
}
