package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/setup"
)

// lookWait is how long setup looks for something that need not be there yet.
const lookWait = 5 * time.Second

// address asks for the public address, and where the pages are served for it.
func (s *setting) address(ctx context.Context) (err error) {
	before := s.cfg.PublicURL
	if s.cfg.PublicURL, err = s.ask.Ask(ctx, setup.Question{
		Text: "1/6  At which address will people open the pages? For example https://games.example.org",
		Flag: "--public-url", Given: s.PublicURL, Default: before, Try: s.tryAddress}); err != nil {
		return err
	}
	u, err := url.Parse(s.cfg.PublicURL)
	if err != nil || before == s.cfg.PublicURL && s.HTTPS == "" && s.cfg.Listen != "" {
		return err
	}
	if u.Scheme == "http" {
		s.serves(servedAt(u), "", "", "")
		return nil
	}
	usual := "self"
	if c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", "127.0.0.1:443"); err == nil {
		usual = "proxy"
		_ = c.Close() // only whether somebody listens
	}
	how, err := s.ask.Ask(ctx, setup.Question{
		Text: "     Who does HTTPS? self: this program, at port 443, with a certificate that it fetches from Let's\n" +
			"     Encrypt, whose terms you accept by this. proxy: a web server on this machine (Caddy, nginx),\n" +
			"     which passes everything on to 127.0.0.1:8080.",
		Flag: "--https", Given: s.HTTPS, Default: usual, Try: func(_ context.Context, text string) (string, error) {
			switch text = strings.ToLower(text); text {
			case "self":
				return text, s.mayServe(servedAt(u))
			case "proxy":
				return text, nil
			}
			return "", errors.New("type self or proxy")
		}})
	if err != nil {
		return err
	}
	if how == "proxy" {
		s.serves("127.0.0.1:8080", "", "", "127.0.0.1/32")
		return nil
	}
	redirect := ""
	if u.Port() == "" {
		redirect = "0.0.0.0:80"
	}
	s.serves(servedAt(u), "auto", redirect, "")
	return nil
}

// servedAt returns where this program listens if browsers come to it directly.
func servedAt(u *url.URL) string {
	at := "0.0.0.0"
	if house.Loopback(u.Hostname()) {
		at = "127.0.0.1"
	}
	return net.JoinHostPort(at, cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]))
}

// mayServe tries whether the program can listen somewhere. Where it listens already, it can.
func (s *setting) mayServe(at string) error {
	if at == s.cfg.Listen {
		return nil
	}
	l, err := net.Listen("tcp", at)
	switch {
	case err == nil:
		return l.Close()
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("you may not listen at %s: run setup as root (sudo), or have a web server in front (proxy)",
			at)
	}
	return fmt.Errorf("nothing can be served at %s: if a web server listens there, have it pass the pages on "+
		"(proxy) (%w)", at, err)
}

// serves says where the pages are served.
func (s *setting) serves(listen, tls, redirect, proxies string) {
	s.cfg.Listen = listen
	s.env.Set("POSTHORN_TLS", tls)
	s.env.Set("POSTHORN_REDIRECT", redirect)
	s.env.Set("POSTHORN_PROXIES", proxies)
}

// tryAddress reads a public address, and says what stands there now.
func (s *setting) tryAddress(ctx context.Context, text string) (string, error) {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", errors.New("write it as https://games.example.org, a name without a path")
	}
	text = u.Scheme + "://" + strings.ToLower(u.Host)
	within, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	if _, err := net.DefaultResolver.LookupHost(within, u.Hostname()); err != nil {
		s.ask.Say("The name %s leads nowhere yet: give it an A or AAAA record with this machine's address.",
			u.Hostname())
		return text, ctx.Err()
	}
	found, err := (&doctorCmd{Settings: house.Settings{PublicURL: text}}).pages(within)
	switch {
	case err == nil && len(found) > 0 && found[0].how == well:
		s.ask.Say("A house answers there already.")
	case ctx.Err() == nil:
		s.ask.Say("No house answers there yet.")
		if u.Scheme == "http" {
			return text, s.mayServe(servedAt(u))
		}
	}
	return text, ctx.Err()
}

// folder asks for the data folder.
func (s *setting) folder(ctx context.Context) (err error) {
	usual := "posthorn-data"
	if os.Geteuid() == 0 {
		usual = "/var/lib/posthorn"
	}
	s.cfg.Data, err = s.ask.Ask(ctx, setup.Question{
		Text: "2/6  In which folder is everything kept: games, people's addresses, and the key that nothing replaces?",
		Flag: "--data", Given: s.Data, Default: cmp.Or(s.cfg.Data, usual), Try: s.tryFolder})
	return err
}

// tryFolder looks whether a folder can take a house, or has one. It leaves nothing there.
func (s *setting) tryFolder(ctx context.Context, text string) (string, error) {
	dir, err := filepath.Abs(text)
	if err != nil {
		return "", err
	}
	if err := s.inReach(dir); err != nil {
		return "", err
	}
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		above := filepath.Dir(dir)
		for ; above != filepath.Dir(above); above = filepath.Dir(above) {
			if _, err := os.Lstat(above); err == nil {
				break
			}
		}
		return dir, mayWrite(above)
	}
	if err != nil {
		return "", fmt.Errorf("%s cannot be used as a folder: %w", dir, err)
	}
	if err := mayWrite(dir); err != nil {
		return "", err
	}
	ours := len(list) == 0
	for _, e := range list {
		ours = ours || e.Name() == "server.key" || e.Name() == "events.db" || e.Name() == "dkim-rsa.pem"
	}
	if !ours {
		return "", fmt.Errorf("there are other things in %s: name a new folder, or an empty one", dir)
	}
	faults, err := folder.Examine(ctx, dir)
	for _, f := range faults {
		if s.ask.Say("%s", f.Text); f.Grave() {
			err = errors.Join(err, fmt.Errorf("the house in %s cannot start like this", dir))
		}
	}
	return dir, err
}

// closedToServices are the folders that the unit shuts (ProtectHome, PrivateTmp).
var closedToServices = []string{"/home", "/root", "/run/user", "/tmp", "/var/tmp"}

// inReach says whether the service can use a folder or a program.
func (s *setting) inReach(path string) error {
	if strings.ContainsAny(path, " \t%\"'\\$") {
		return fmt.Errorf("choose a path without spaces, quotes, %% and $ instead of %s", path)
	}
	if s.Unit == "" {
		return nil
	}
	for _, dir := range closedToServices {
		if path == dir || strings.HasPrefix(path, dir+"/") {
			return fmt.Errorf("%s is below %s, which is closed to the service", path, dir)
		}
	}
	return nil
}

// mayWrite tries whether something can be written in a folder.
func mayWrite(dir string) error {
	if err := house.TryWriting(dir); err != nil {
		return fmt.Errorf("nothing can be written in %s: run setup as the user who may (sudo), or name another folder "+
			"(%w)", dir, err)
	}
	return nil
}
