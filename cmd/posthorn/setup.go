package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/setup"
)

type setupCmd struct {
	PublicURL string   `name:"public-url" help:"The address that mails and pages name, e.g. https://games.example.org."`
	HTTPS     string   `name:"https" enum:",self,proxy" default:"" help:"Who does HTTPS: self (this program, with a certificate of Let's Encrypt) or proxy (a web server on this machine)."`
	Data      string   `type:"path" help:"The folder everything is kept in."`
	From      string   `help:"The address mails are sent from."`
	SMTP      string   `name:"smtp" help:"The mail server, e.g. smtps://mail.example.org:465; with user and password, as for serve, these are not asked for."`
	Inbound   string   `help:"Where answers come in, as for serve, or none."`
	Host      []string `help:"Addresses of those who run this house."`
	Opening   string   `enum:",anyone,invited" default:"" help:"Who may open tables."`
	Env       string   `name:"env" type:"path" placeholder:"FILE" help:"The file of settings to write. By default /etc/posthorn.env for root, else posthorn.env here."`
	Unit      string   `type:"path" placeholder:"FILE" help:"The unit for systemd to write. By default /etc/systemd/system/posthorn.service for root where systemd runs, else none."`
	User      string   `default:"posthorn" help:"The system user whom the unit runs the program as; made if it is missing."`
	DryRun    bool     `name:"dry-run" help:"Ask, try and print, but write and start nothing."`
	Start     bool     `default:"true" negatable:"" help:"Start the house at the end."`
}

// Help returns the long help of the sub-command.
func (setupCmd) Help() string {
	return `Asks for what a house needs, and tries each answer at once: it signs in to the mail server,
sends a test mail, and looks whether an answer comes in. Then it writes the settings to a file
and, where systemd runs, the service; prints what your domain's DNS needs; and starts the house.

Nothing is written before the last answer. Run it again to change something: an empty line keeps
what is there. Answers can also be given as flags, as environment variables, or on the lines of
standard input; then the first that will not do ends it.`
}

// setting is one run of setup.
type setting struct {
	*setupCmd
	con      console.Console
	ask      *setup.Asker
	env      *setup.Environment
	cfg      house.Settings // as far as it is known
	provider setup.Provider
	whose    string // the provider to whom the sender's domain belongs; "" for any other domain
}

// Run asks, tries, writes and starts.
func (c *setupCmd) Run(ctx context.Context, con console.Console) error {
	s := &setting{setupCmd: c, con: con, ask: setup.NewAsker(con)}
	if err := s.places(); err != nil {
		return err
	}
	fmt.Fprintf(con.Out, "Six questions set up a house. Nothing is written before the last is answered, to %s.\n"+
		"An empty line takes what stands in [brackets]; Ctrl-C leaves everything as it is.\n", s.Env)
	for _, step := range []func(context.Context) error{s.address, s.folder, s.account, s.answers, s.host, s.opening} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.finish(ctx)
}

// places finds out where to write, and what is there already.
func (s *setting) places() (err error) {
	root := os.Geteuid() == 0
	s.Env = cmp.Or(s.Env, map[bool]string{true: "/etc/posthorn.env", false: "posthorn.env"}[root])
	if s.Unit == "" && root && systemdRuns() {
		s.Unit = "/etc/systemd/system/posthorn.service"
	}
	if s.env, err = setup.ReadEnvironment(s.Env); errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("you may not read %s: run setup as its owner (sudo), or name another file with --env", s.Env)
	}
	if err != nil {
		return err
	}
	s.cfg = house.Settings{Settings: folder.Settings{Data: s.env.Get("POSTHORN_DATA")},
		Listen: s.env.Get("POSTHORN_LISTEN"), PublicURL: s.env.Get("POSTHORN_PUBLIC_URL"),
		SMTP: s.env.Get("POSTHORN_SMTP"), From: s.env.Get("POSTHORN_FROM"), Inbound: s.env.Get("POSTHORN_INBOUND"),
		ReplyTo: s.env.Get("POSTHORN_REPLY_TO"), DKIM: s.env.Get("POSTHORN_DKIM") != "false",
		Host: fields(s.env.Get("POSTHORN_HOST")), Opening: s.env.Get("POSTHORN_OPENING")}
	return nil
}

// opening asks who may open tables.
func (s *setting) opening(ctx context.Context) (err error) {
	s.cfg.Opening, err = s.ask.Ask(ctx, setup.Question{
		Text: "6/6  Who may open tables: anyone (with a confirmed address), or only whom you have invited?\n" +
			"     Who may sign up at all you choose later, on the host's page.",
		Flag: "--opening", Given: s.Opening, Default: cmp.Or(s.cfg.Opening, "anyone"),
		Try: func(_ context.Context, text string) (string, error) {
			if text = strings.ToLower(text); text != "anyone" && text != "invited" {
				return "", errors.New("type anyone or invited")
			}
			return text, nil
		}})
	return err
}

// fields splits addresses with commas between them.
func fields(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}
