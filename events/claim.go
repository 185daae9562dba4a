package events

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"posthorn/domain"
)

// errClaim is returned for a claim that is malformed or not signed by a server that the table was on.
var errClaim = errors.New("not a claim to a seat of this table")

// A claim says who held a seat at the server that signs it. Its person takes the seat up again with it at the server
// that the table was handed over to, which has that server's key from the table's history.
const claimFormat = "posthorn-claim-1"

func claimText(table Name, seat domain.Seat, was domain.PersonID) string {
	return fmt.Sprintf("%s:%s:%s:%s", claimFormat, table, seat.Letter(), was)
}

// SignClaim returns a claim to a seat as an address holds it: the seat's letter, its holder here and the signature.
func (k *Keys) SignClaim(table Name, seat domain.Seat, was domain.PersonID) string {
	sig := ed25519.Sign(k.sign, []byte(claimText(table, seat, was)))
	return seat.Letter() + "." + string(was) + "." + base64.RawURLEncoding.EncodeToString(sig)
}

// ReadClaim reads a claim that one of the servers a table was on has signed.
func ReadClaim(t *domain.Table, table Name, text string) (seat domain.Seat, was domain.PersonID, err error) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 || len(parts[0]) != 1 {
		return 0, "", errClaim
	}
	seat, was = domain.Seat(int(parts[0][0])-'A'), domain.PersonID(parts[1])
	sig, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || seat < 0 || int(seat) >= len(t.Places) {
		return 0, "", errClaim
	}
	for _, f := range t.Former {
		if Proves(f.Key) && ed25519.Verify(f.Key, []byte(claimText(table, seat, was)), sig) {
			return seat, was, nil
		}
	}
	return 0, "", errClaim
}
