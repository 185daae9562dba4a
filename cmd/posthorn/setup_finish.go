package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/setup"
)

// systemdFolder is there while systemd runs the machine.
var systemdFolder = "/run/systemd/system"

func systemdRuns() bool {
	_, err := os.Stat(systemdFolder)
	return err == nil
}

// finish writes what was found out, and starts the house.
func (s *setting) finish(ctx context.Context) error {
	for _, v := range [][2]string{{"DATA", s.cfg.Data}, {"LISTEN", s.cfg.Listen}, {"PUBLIC_URL", s.cfg.PublicURL},
		{"SMTP", s.cfg.SMTP}, {"FROM", s.cfg.From}, {"INBOUND", s.cfg.Inbound},
		{"HOST", strings.Join(s.cfg.Host, ",")}, {"OPENING", s.cfg.Opening}, {"DKIM", s.signs()}} {
		s.env.Set("POSTHORN_"+v[0], v[1])
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	unit := setup.Unit{Path: s.Unit, User: s.User, Data: s.cfg.Data, Environment: s.Env, Program: program,
		LowPorts: strings.HasSuffix(s.cfg.Listen, ":443") || s.env.Get("POSTHORN_REDIRECT") != ""}
	text, err := unit.Text()
	if err != nil {
		return err
	}
	if s.DryRun {
		fmt.Fprintf(s.con.Out, "\nThis would be %s, without the passwords:\n\n%s", s.Env, s.env.Shown())
		if s.Unit != "" {
			fmt.Fprintf(s.con.Out, "\nand this %s:\n\n%s", s.Unit, text)
		}
		return s.dns(ctx)
	}
	if err := errors.Join(s.inReach(s.Env), s.reachable(program)); err != nil {
		return err
	}
	if err := s.write(ctx, text); err != nil {
		return err
	}
	if err := s.dns(ctx); err != nil {
		return err
	}
	return s.starts(ctx, program)
}

// reachable says what to do if the service cannot run this program where it is.
func (s *setting) reachable(program string) error {
	if err := s.inReach(program); err != nil {
		return fmt.Errorf("%w: install the program first (install -m 755 %s /usr/local/bin/posthorn), and run "+
			"\"posthorn setup\" again", err, program)
	}
	return nil
}

// signs returns whether the house signs its mails itself, as a setting: only for a domain that is surely its host's,
// or as the host has set it.
func (s *setting) signs() string {
	if set := s.env.Get("POSTHORN_DKIM"); set != "" && s.env.Get("POSTHORN_FROM") == s.cfg.From {
		return set
	}
	domain, site := house.HelloOf(s.cfg.From), ""
	if u, err := url.Parse(s.cfg.PublicURL); err == nil {
		site = u.Hostname()
	}
	s.cfg.DKIM = s.whose == "" && ("."+site == "."+domain || strings.HasSuffix(site, "."+domain) ||
		strings.HasSuffix(domain, "."+site))
	return map[bool]string{false: "false"}[s.cfg.DKIM]
}

// write writes the folder, its keys, the settings and the unit. What is there already stays.
func (s *setting) write(ctx context.Context, unit string) error {
	if err := os.MkdirAll(s.cfg.Data, 0o700); err != nil {
		return fmt.Errorf("the data folder: %w", err)
	}
	if s.cfg.DKIM {
		if _, err := (&doctorCmd{Settings: s.cfg}).signer(); err != nil {
			return err
		}
	}
	if s.Unit != "" && systemdRuns() {
		if err := s.hands(ctx); err != nil {
			return err
		}
	}
	if err := setup.Write(s.Env, s.env.Text(), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(s.con.Out, "\nWritten: %s", s.Env)
	if s.Unit != "" {
		if err := setup.Write(s.Unit, unit, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(s.con.Out, ", %s", s.Unit)
	}
	fmt.Fprintln(s.con.Out)
	return nil
}

// hands gives the folder to the user that the service runs as, who is made if missing.
func (s *setting) hands(ctx context.Context) error {
	owner, err := user.Lookup(s.User)
	if errors.As(err, new(user.UnknownUserError)) {
		if err = does(ctx, "useradd", "--system", "--home-dir", s.cfg.Data, "--shell", "/usr/sbin/nologin",
			s.User); err == nil {
			owner, err = user.Lookup(s.User)
		}
	}
	if err != nil {
		return fmt.Errorf("the user of the service: %w", err)
	}
	uid, err := strconv.Atoi(owner.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(owner.Gid)
	if err != nil {
		return err
	}
	return filepath.WalkDir(s.cfg.Data, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, uid, gid))
	})
}

// dns says what the sender's domain needs in DNS, if it is the host's own.
func (s *setting) dns(ctx context.Context) error {
	domain := house.HelloOf(s.cfg.From)
	fmt.Fprintln(s.con.Out)
	if s.whose == "" && !s.cfg.DKIM {
		fmt.Fprintf(s.con.Out, "The mails bear the signature of whoever sends for %s. If that domain is yours, set "+
			"POSTHORN_DKIM=true in\n%s: setup then prints what to put into its DNS.\n", domain, s.Env)
		return nil
	}
	keys, err := filepath.Glob(filepath.Join(s.cfg.Data, "dkim-*.pem"))
	if err == nil && s.cfg.DKIM && s.DryRun && len(keys) < 2 {
		fmt.Fprintf(s.con.Out, "The keys that sign mails of %s are made when this is written; what DNS needs is "+
			"printed then.\n", domain)
		return nil
	}
	found, err := (&doctorCmd{Settings: s.cfg}).dns(ctx)
	for _, f := range found {
		f.prints(s.con)
	}
	return err
}

// starts starts the house: by systemd, or here.
func (s *setting) starts(ctx context.Context, program string) error {
	if s.Unit != "" {
		return s.startsUnit(ctx)
	}
	fmt.Fprintf(s.con.Out, "\nThis starts the house, from now on:\n\n  set -a; . %s; set +a; %s serve\n\n", s.Env,
		program)
	if !s.Start {
		return nil
	}
	if err := takesOn(s.env); err != nil {
		return err
	}
	var all settings
	parser, err := kong.New(&all, kong.Name("posthorn"), kong.DefaultEnvars("POSTHORN"))
	if err == nil {
		_, err = parser.Parse([]string{"serve"})
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(s.con.Out, "It starts here now; Ctrl-C stops it. %s\n", s.next())
	return all.Serve.Run(ctx, s.con)
}

// takesOn makes the variables of a file those of this program, in place of all settings that it has.
func takesOn(env *setup.Environment) error {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "POSTHORN_") {
			_ = os.Unsetenv(name)
		}
	}
	for _, v := range env.Variables() {
		name, value, _ := strings.Cut(v, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// next says what to do first in the house.
func (s *setting) next() string {
	return fmt.Sprintf("Open it, and sign in as %s: the page Server is yours alone.", s.cfg.Host[0])
}

// startWait is how long a house may take until its pages are there.
const startWait = time.Minute

// startsUnit has systemd start the service, and looks whether people can see it.
func (s *setting) startsUnit(ctx context.Context) error {
	commands := [][]string{{"systemctl", "daemon-reload"}, {"systemctl", "enable", filepath.Base(s.Unit)},
		{"systemctl", "restart", filepath.Base(s.Unit)}}
	if !s.Start || !systemdRuns() {
		fmt.Fprintf(s.con.Out, "\nThis starts the house:\n\n")
		for _, c := range commands {
			fmt.Fprintf(s.con.Out, "  %s\n", strings.Join(c, " "))
		}
		return nil
	}
	for _, c := range commands {
		if err := does(ctx, c...); err != nil {
			return err
		}
	}
	fmt.Fprintln(s.con.Out, "\nThe house starts.")
	within, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		found, err := (&doctorCmd{Settings: s.cfg}).pages(within)
		if err == nil && len(found) > 0 && found[0].how == well {
			fmt.Fprintf(s.con.Out, "It answers at %s\n%s\n", s.cfg.PublicURL, s.next())
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-within.Done():
			if ctx.Err() != nil {
				return ctx.Err()
			}
			for _, f := range found {
				err = errors.Join(err, errors.New(f.text))
			}
			return console.Fails(1, "it runs (journalctl -u %s says how), but nobody sees it yet: %w",
				strings.TrimSuffix(filepath.Base(s.Unit), ".service"), err)
		}
	}
}

// does runs a program of the system.
func does(ctx context.Context, command ...string) error {
	out, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
