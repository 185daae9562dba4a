package main

import (
	"posthorn/domain/rulebooks"
	"posthorn/http"
	"posthorn/mail"
	"posthorn/projections/words"
)

// houseWords are the words of every game and door.
func houseWords() (*words.Book, error) {
	return words.New(rulebooks.All(), mail.Catalogue(), http.Catalogue())
}
