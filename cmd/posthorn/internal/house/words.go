package house

import (
	"posthorn/domain/rulebooks"
	"posthorn/http"
	"posthorn/mail"
	"posthorn/projections/words"
)

// Words returns the words of every game and door.
func Words() (*words.Book, error) {
	return words.New(rulebooks.All(), mail.Catalogue(), http.Catalogue())
}
