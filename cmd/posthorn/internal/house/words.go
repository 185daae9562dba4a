package house

import (
	"sync"

	"posthorn/domain/rulebooks"
	"posthorn/projections/words"
)

var allWords = sync.OnceValues(func() (*words.Book, error) { return words.New(rulebooks.All()) })

// Words returns every text, those of every game among them. It reads them once; nothing changes them.
func Words() (*words.Book, error) { return allWords() }
