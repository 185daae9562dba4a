//go:build shots

package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"posthorn/projections/words"
)

// shotSizes are the screens, and looks are the page's colour schemes on them.
var (
	shotSizes = []struct {
		name          string
		width, height int64
	}{{"phone", 390, 844}, {"desktop", 1280, 860}}
	looks = []string{"light", "dark"}
)

// wishes says which pictures to take: all, or as the environment says.
type wishes struct {
	dir    string
	only   *regexp.Regexp
	langs  []string
	sizes  string
	looks  string
	viewed bool // only the screen, not the whole length of the page
	opened bool // with all folded parts open
}

func wished(t *testing.T) wishes {
	t.Helper()
	w := wishes{dir: os.Getenv("POSTHORN_SHOTS"), langs: words.Languages, sizes: os.Getenv("POSTHORN_SHOTS_SIZE"),
		looks:  os.Getenv("POSTHORN_SHOTS_LOOK"),
		viewed: os.Getenv("POSTHORN_SHOTS_SCREEN") != "", opened: os.Getenv("POSTHORN_SHOTS_OPEN") != ""}
	require.NotEmpty(t, w.dir, "say with POSTHORN_SHOTS where the pictures go; `make shots` does")
	only, err := regexp.Compile(os.Getenv("POSTHORN_SHOTS_ONLY"))
	require.NoError(t, err)
	w.only = only
	if l := os.Getenv("POSTHORN_SHOTS_LANG"); l != "" {
		w.langs = strings.Split(l, ",")
	}
	return w
}

// Pictures of every page and mail, for people to look at. The test fails if one cannot be shown at all.
func TestShots(t *testing.T) {
	w := wished(t)
	base := filepath.Join(t.TempDir(), "base")
	began := time.Now()
	progress := func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%5.0fs  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	}
	first := openStage(t, base)
	first.set(func(done, total int, what string) { progress("table %d of %d: %s", done, total, what) })
	require.NoError(t, first.Close())
	for _, lang := range w.langs {
		t.Run(lang, func(t *testing.T) {
			first.t = t
			s := first.copied(base, filepath.Join(t.TempDir(), lang), lang)
			w.shoot(s, lang, progress)
		})
	}
	require.NoError(t, w.contacts(progress))
}

// shoot serves a house and takes the pictures in one language.
func (w wishes) shoot(s *stage, lang string, progress func(string, ...any)) {
	t := s.t.(*testing.T)
	all, sessions := s.shown(lang)
	for _, size := range shotSizes {
		if w.sizes != "" && w.sizes != size.name {
			continue
		}
		b := newBrowser(t, size.width, size.height)
		for i, p := range all {
			if !w.only.MatchString(p.name) {
				continue
			}
			progress("%s, %s: %d of %d: %s", lang, size.name, i+1, len(all), p.name)
			b.is(s.Config.PublicURL, lang, append(sessions, "")[(p.who+len(sessions)+1)%(len(sessions)+1)])
			b.open(s.Config.PublicURL + p.path)
			b.refuses(p)
			if w.opened {
				b.script(`document.querySelectorAll("details").forEach(d => d.open = true)`)
			}
			for _, look := range looks {
				if w.looks == "" || w.looks == look {
					b.still(filepath.Join(w.dir, lang, size.name+"-"+look, p.name+".png"), look, w.viewed)
				}
			}
		}
	}
}

// walk scrolls through a page and back.
const walk = `(async () => {
	const frame = () => new Promise(r => requestAnimationFrame(() => setTimeout(r)));
	const was = scrollY;
	for (let y = 0; y < document.body.scrollHeight; y += innerHeight) { scrollTo(0, y); await frame(); }
	scrollTo(0, was); await frame(); await frame();
	return true;
})()`

// still takes a picture of the open page.
func (b *browser) still(path, look string, viewed bool) {
	b.t.Helper()
	b.looks(look)
	take := chromedp.FullScreenshot(100)
	if viewed {
		take = chromedp.CaptureScreenshot()
	}
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	// Draw what lies below the window, too.
	b.script(`document.querySelectorAll("img[loading=lazy]").forEach(i => i.loading = "eager")`)
	for loaded := false; !loaded; time.Sleep(20 * time.Millisecond) {
		var err error
		loaded, err = chromedp.Run(ctx, chromedp.Evaluate[bool](`Array.from(document.images).every(i => i.complete)`))
		require.NoError(b.t, err, path)
	}
	// And what scrolls separately, which is painted once it was in the window. Letters run no script and have nothing
	// of the kind.
	if !strings.HasPrefix(filepath.Base(path), "mail") {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](walk, func(p *runtime.EvaluateParams) {
			yes := true
			p.AwaitPromise = &yes
		}))
		require.NoError(b.t, err, path)
	}
	png, err := chromedp.Run(ctx, take)
	require.NoError(b.t, err, path)
	require.NoError(b.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(b.t, os.WriteFile(path, png, 0o644))
}
