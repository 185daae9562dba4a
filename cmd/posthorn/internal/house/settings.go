package house

import (
	"log/slog"
	"time"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
	"posthorn/mail/authentic"
)

// Settings are the settings of a running house.
type Settings struct {
	folder.Settings
	Listen    string   `default:"127.0.0.1:8080" help:"Where to serve pages."`
	PublicURL string   `name:"public-url" help:"The address that mails and pages name, e.g. https://games.example.org. By default that of --listen."`
	SMTP      string   `name:"smtp" help:"The mail server, e.g. smtp://user:password@mail.example.org:587. Without one, a mailbox in the program catches everything."`
	From      string   `default:"posthorn@localhost" help:"The address mails are sent from."`
	Inbound   string   `help:"Where answers to mails come in: lmtp://127.0.0.1:2424 or lmtp:///run/posthorn/lmtp.sock from a mail server of your own, smtp://0.0.0.0:25 from anybody; or imaps://user:password@imap.example.org/INBOX, a mailbox at a provider (imap:// with STARTTLS), of which only mails to this house are touched. By default nowhere: mails are answered by their links, and without --smtp on the page of the built-in mailbox, too."`
	PassFile  string   `name:"inbound-password-file" type:"path" placeholder:"FILE" help:"A file whose first line is the password of the mailbox in --inbound. By default it stands in the address."`
	ReplyTo   string   `name:"reply-to" help:"The address that mails are answered to, with --inbound; each mail puts a + and a token of its own before the @. By default that of --from."`
	AnySender bool     `name:"any-sender" help:"Take answers from whatever address they come from, as long as they go to the address in the mail. By default they must come from the player's own."`
	AuthServ  string   `name:"authserv-id" placeholder:"NAME" help:"The name under which the mail server in front of --inbound says whether a mail's signatures are good (Authentication-Results), e.g. mx.example.org: it must take out such lines that come in under its name. By default Posthorn looks the keys up itself."`
	DKIM      bool     `name:"dkim" default:"true" negatable:"" help:"Sign mails with keys of this house's own; \"posthorn doctor\" prints what DNS must hold for that."`
	Host      []string `help:"Addresses of those who run this house."`
	Opening   string   `enum:"anyone,invited" default:"anyone" help:"Who may open tables: anyone with a confirmed address, or whom the hosts have invited."`
	Signup    string   `enum:",open,invited,closed" default:"" help:"Who may sign up: open (whoever has an address), invited (whom somebody here has invited, or a host let in) or closed (nobody new). By default as the host's page says, which is open at first."`
	Hooks     string   `enum:"on,off" default:"on" help:"Whether people may have what their tables ask of them posted to addresses of their own (webhooks). off: this program connects to nobody for them."`
	NATSSettings
	Safe       string        `enum:",log,replicated" default:"" help:"When a move is answered: once the log of this machine has it (log, the default), or once the NATS cluster has it on most of its servers, too (replicated)."`
	Proxies    []string      `help:"Networks of reverse proxies whose X-Forwarded-For is believed, e.g. 10.0.0.0/8."`
	Pause      time.Duration `default:"2s" help:"How long a stand-in thinks before it moves."`
	Patience   time.Duration `default:"1m" help:"How long a mail waits for somebody who is at the table's page, from when the page was last heard, or from their own move on it that brought up what it is about."`
	NewPeople  bool          `name:"new-people" help:"Start although people.db is lost: all accounts are gone, and players take their seats again by the links of \"posthorn claims\"."`
	Archive    string        `type:"path" placeholder:"DIR" help:"A folder that each finished game is written to when it ends, as \"posthorn archive\" does. By default none."`
	Watch      string        `help:"Where a monitor may ask: /healthz, /readyz and /metrics (Prometheus), e.g. 127.0.0.1:9190. Keep it off the internet. By default nowhere."`
	WatchHosts []string      `help:"Names with a dot by which monitors reach --watch, e.g. posthorn.monitoring.svc."`
	LogFormat  string        `name:"log-format" enum:"text,json" default:"text" help:"How the log is written: as text, or a JSON object a line."`
	tlsSettings
	DNS      authentic.Resolver `kong:"-"` // where keys of mails' signatures are; net.DefaultResolver if nil
	Hasty    bool               `kong:"-"` // stand-ins do not think on about their moves
	SafeWait time.Duration      `kong:"-"` // how long an answer waits for the cluster; safe.DefaultPatience by default
	Memory   int                `placeholder:"MB" help:"Keep to this much memory. By default to what the cgroup allows that the program runs in (a container's limit, systemd's MemoryMax)."`
	Remind   bool               `help:"Write again about everything that is open: for a house whose mail.db was lost."`
}

// Logger returns the logger of the whole program.
func (c *Settings) Logger(con console.Console) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(con.Err, o))
	}
	return slog.New(slog.NewTextHandler(con.Err, o))
}
