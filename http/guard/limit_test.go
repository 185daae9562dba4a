package guard

import (
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
)

// never is a rate that never refills, so that these tests need no clock.
const never = rate.Limit(1e-9)

func allowed(l *Limiter, key string) bool {
	_, ok := l.Allow(key)
	return ok
}

func TestALimiterRemembersABoundedNumberOfAskers(t *testing.T) {
	l := NewLimiter(never, 1)
	for i := range 3 * maxLimited {
		require.True(t, allowed(l, strconv.Itoa(i)))
	}
	require.Equal(t, maxLimited, l.by.Len())
	require.False(t, allowed(l, strconv.Itoa(3*maxLimited-1)), "the latest is remembered")
	require.True(t, allowed(l, "0"), "the one that has not asked for longest is not")
}

func TestWhoKeepsAskingIsNotForgottenAmongOthers(t *testing.T) {
	l := NewLimiter(never, 2)
	require.True(t, allowed(l, "bomber"))
	require.True(t, allowed(l, "bomber"))
	for i := range 3 * maxLimited {
		require.True(t, allowed(l, strconv.Itoa(i)))
		if i%1000 == 0 {
			require.False(t, allowed(l, "bomber"), "after %d others", i)
		}
	}
}

func TestARefusedAskerIsToldHowLongToWait(t *testing.T) {
	l := NewLimiter(rate.Limit(1.0/60), 1)
	require.True(t, allowed(l, "ana"))
	first, ok := l.Allow("ana")
	require.False(t, ok)
	require.Greater(t, first.Seconds(), 1.0)
	require.LessOrEqual(t, first.Seconds(), 60.0)
	for range 100 {
		again, ok := l.Allow("ana")
		require.False(t, ok)
		require.LessOrEqual(t, again, first, "asking again makes nobody wait longer")
	}
}

func TestAnIPv6NetworkIsOneAsker(t *testing.T) {
	for ip, want := range map[string]string{
		"2001:db8:1:2::1": "2001:db8:1:2::/64", "2001:db8:1:2:ffff:ffff:ffff:ffff": "2001:db8:1:2::/64",
		"2001:db8:1:3::1": "2001:db8:1:3::/64",
		"fe80::1%eth0":    "fe80::/64", "192.0.2.1": "192.0.2.1", "192.0.2.2": "192.0.2.2",
		"::ffff:192.0.2.1": "192.0.2.1", "pipe": "pipe",
	} {
		require.Equal(t, want, Network(ip), ip)
	}
}

// Whoever is on the way to a browser can write a page of any http address.
func TestAnHTTPSHouseTakesNoFormOfAnHTTPPage(t *testing.T) {
	send := func(public, method, origin string) error {
		u, err := url.Parse(public)
		require.NoError(t, err)
		g, err := New(Guard{Public: u, OneClick: "/u/"})
		require.NoError(t, err)
		r := httptest.NewRequest(method, "http://games.example.org/language", nil) // as the web server in front asks
		r.Header.Set("Origin", origin)
		return g.Secure(func(echo.Context) error { return nil })(echo.New().NewContext(r, httptest.NewRecorder()))
	}
	const house, plain = "https://games.example.org", "http://games.example.org"
	require.Error(t, send(house, "POST", plain))
	require.NoError(t, send(house, "POST", house))
	require.NoError(t, send(house, "GET", plain), "it changes nothing")
	require.NoError(t, send(plain, "POST", plain))
}

func TestCallsOfProgramsUseUpNothingOfTheForms(t *testing.T) {
	g, err := New(Guard{Public: &url.URL{Scheme: "https", Host: "games.example.org"}, Counted: "/api/v1/"})
	require.NoError(t, err)
	g.forms = NewLimiter(never, 2)
	send := func(method, path string) error {
		c := echo.New().NewContext(httptest.NewRequest(method, path, nil), httptest.NewRecorder())
		return g.Secure(func(echo.Context) error { return nil })(c)
	}
	for range 5 {
		require.NoError(t, send("POST", "/api/v1/tables"), "the API counts its own")
		require.NoError(t, send("GET", "/"))
	}
	require.NoError(t, send("POST", "/language"))
	require.NoError(t, send("POST", "/language"))
	require.ErrorAs(t, send("POST", "/language"), &Busy{})
}
