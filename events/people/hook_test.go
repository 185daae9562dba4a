package people_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"posthorn/events/people"
)

func TestTheAddressOfAWebhookIsOneOnTheInternet(t *testing.T) {
	for _, text := range []string{"https://hooks.example.org", " https://example.org/a/b?c=d ",
		"https://example.org:8443/x", "HTTPS://Example.org/", "https://93.184.216.34/x"} {
		_, err := people.ParseHookAddress(text)
		require.NoError(t, err, text)
	}
	for _, text := range []string{"", "example.org", "http://example.org", "ftp://example.org", "https:example.org",
		"https://", "https:///x", "https://u:p@example.org", "https://u@example.org",
		"https://example.org/#x", "https://example.org:22/", "https://example.org:/", "https://localhost/",
		"https://LOCALHOST./", "https://printer/", "https://a.localhost", "https://metadata.google.internal/",
		"https://nas.local", "https://nas.lan/", "https://127.0.0.1/", "https://10.1.2.3/", "https://192.168.0.1",
		"https://172.16.0.1", "https://169.254.169.254/latest", "https://[::1]/", "https://[fe80::1]/",
		"https://[fd00:ec2::254]/", "https://[::ffff:127.0.0.1]/", "https://[fe80::1%25eth0]/", "https://0.0.0.0/",
		"https://224.0.0.1/", "https://2130706433/", "https://127.1/", "https://0x7f.0.0.1/", "https://0177.0.0.0x1/",
		"https://a..b/", "https://exa mple.org/", "https://example.org\n/",
		"https://" + strings.Repeat("a", 600) + ".org/"} {
		_, err := people.ParseHookAddress(text)
		refused(t, err, "hook-address")
	}
}

func TestAWebhookIsItsPersonsOwn(t *testing.T) {
	s := open(t)
	ana, bo := s.confirmed("ana@example.org").ID, s.confirmed("bo@example.org").ID
	h, err := s.MakeHook(ctx, ana, "https://example.org/in?key=1", []string{"over", "turn"})
	require.NoError(t, err)
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, h.Secret)
	require.Equal(t, []string{"turn", "over"}, h.Kinds)
	require.True(t, h.Wants("turn"))
	require.False(t, h.Wants("news"))
	all, err := s.Hooks(ctx, ana)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, h.Address, all[0].Address)
	require.Equal(t, h.Secret, all[0].Secret)
	none, err := s.Hooks(ctx, bo)
	require.NoError(t, err)
	require.Empty(t, none)
	require.NotContains(t, string(s.files()), "example.org/in", "it is sealed")
	require.NotContains(t, string(s.files()), h.Secret)

	require.ErrorIs(t, s.RemoveHook(ctx, bo, h.Ref), people.ErrHook)
	require.ErrorIs(t, s.RetryHook(ctx, bo, h.Ref), people.ErrHook)
	require.NoError(t, s.GiveUpHook(ctx, h.Ref, "404"))
	given, err := s.Hook(ctx, h.Ref)
	require.NoError(t, err)
	require.Equal(t, "404", given.Why)
	require.False(t, given.Off.IsZero())
	require.False(t, given.Wants("turn"))
	require.NoError(t, s.RetryHook(ctx, ana, h.Ref))
	again, err := s.Hook(ctx, h.Ref)
	require.NoError(t, err)
	require.True(t, again.Wants("turn"))

	for range people.MaxHooks - 1 {
		_, err := s.MakeHook(ctx, ana, "https://example.org/", s.PostedKinds)
		require.NoError(t, err)
	}
	_, err = s.MakeHook(ctx, ana, "https://example.org/", s.PostedKinds)
	refused(t, err, "hooks-many")
	_, err = s.MakeHook(ctx, bo, "https://example.org/", nil)
	refused(t, err, "hook-kinds")
	_, err = s.MakeHook(ctx, bo, "https://example.org/", []string{"turn", "secrets"})
	refused(t, err, "hook-kinds")
	_, err = s.MakeHook(ctx, bo, "https://example.org/", []string{"turn", "nudge"})
	refused(t, err, "hook-kinds")
	require.NoError(t, s.RemoveHook(ctx, ana, h.Ref))
	_, err = s.Hook(ctx, h.Ref)
	require.ErrorIs(t, err, people.ErrHook)

	require.NoError(t, s.Forget(ctx, ana))
	gone, err := s.Hooks(ctx, ana)
	require.NoError(t, err)
	require.Empty(t, gone)
}
