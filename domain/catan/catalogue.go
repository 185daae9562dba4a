package catan

import _ "embed"

//go:embed words/en.json
var wordsEN []byte

//go:embed words/pt-BR.json
var wordsBR []byte

//go:embed words/pt-PT.json
var wordsPT []byte

//go:embed words/pl.json
var wordsPL []byte

func catalogue() map[string][]byte {
	return map[string][]byte{"en": wordsEN, "pt-BR": wordsBR, "pt-PT": wordsPT, "pl": wordsPL}
}
