package mail_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/stretchr/testify/require"

	"posthorn/mail"
	"posthorn/mail/sign"
)

func TestALettersSignatureCoversHowToLeave(t *testing.T) {
	h, table, ana := waiting(t)
	signer, err := sign.Open(t.TempDir(), "games.example.org")
	require.NoError(t, err)
	records, err := signer.Records()
	require.NoError(t, err)
	h.composer.Sign = signer.Sign
	// it may have arrived, so its bytes are kept
	out := &post{fails: []error{&mail.Lost{Step: "message", Err: errors.New("cut")}}}
	require.NoError(t, h.send(out))
	h.makeDue()
	require.NoError(t, h.send(out))
	require.Equal(t, mail.StateSent, h.letter(table, mail.KindTurn, ana).State)
	got := out.taken()
	require.Len(t, got, 2)
	require.Equal(t, got[0].message, got[1].message, "it was signed once: tried again it has the same bytes")
	all, err := dkim.VerifyWithOptions(strings.NewReader(got[0].message),
		&dkim.VerifyOptions{LookupTXT: func(name string) (out []string, err error) {
			for _, r := range records {
				if r.Name == name {
					out = append(out, r.Text)
				}
			}
			return out, nil
		}})
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, v := range all {
		require.NoError(t, v.Err)
		require.Subset(t, v.HeaderKeys, []string{"List-Unsubscribe", "List-Unsubscribe-Post"})
	}
	require.Contains(t, got[0].message, "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
}
