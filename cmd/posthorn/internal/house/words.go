package house

import (
	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

// Words returns every text, those of every game among them.
func Words() (*words.Book, error) { return words.New(rulebooks.All()) }
