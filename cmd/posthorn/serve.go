package main

import (
	"context"

	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/house"
	"posthorn/cmd/posthorn/internal/roles"
)

type serveCmd struct {
	house.Settings
	Role string `enum:"all,standby,reader" default:"all" help:"What this server is, of those that keep one house in one NATS cluster (--safe replicated): all does everything; with --safe replicated it first gets the lease that makes it the one writer, stands by while another has it, and may fill an empty cluster from its log. standby is the same, but never fills a cluster: it follows the writer, and takes over when the lease is free. reader follows it and never takes over: it shows by itself what everybody may see of tables, and has everything else answered by the writer."`
}

// Help returns the long help of the sub-command.
func (serveCmd) Help() string {
	return `Serves the house for real people. For a first look, use "posthorn run".

A host with a domain and a mail server:

  posthorn serve --data /var/lib/posthorn --listen 127.0.0.1:8080 \
    --public-url https://games.example.org \
    --smtp smtp://user:password@mail.example.org:587 \
    --from games@example.org --host you@example.org

Put a web server with a certificate in front of --listen, and name its network with
--proxies. Back the data folder up whole, with server.key. Every setting can also be given
as an environment variable, e.g. POSTHORN_SMTP.

A second machine that takes over when the first one dies, with an external NATS cluster:
both get the same settings with --nats, --nats-replicas 3 and --safe replicated, and the
same server.key. The first runs with --role all (the default), the second with --role
standby; there is no role "writer", because whoever of them holds the lease is the writer,
and the others wait for it. A writer that loses the lease ends with status 4; let it be
started again, and it stands by. Any number of machines with --role reader, the same settings
and the same server.key take the pages of whoever only watches off the writer, and lead
everybody else to it. docs/operating.md has it step by step.`
}

// Run serves until it is told to stop.
func (c *serveCmd) Run(ctx context.Context, con console.Console) error {
	if c.Role != "all" && (c.NATS == "" || c.Safe != "replicated") {
		return console.Fails(2, "--role %s follows a writer through a NATS cluster: name that with --nats, and give "+
			"--safe replicated here and there", c.Role)
	}
	if c.Safe != "replicated" || c.NATS == "" {
		return roles.Alone(ctx, c.Settings, con, nil)
	}
	house.LimitMemory(ctx, c.Settings)
	if c.Role == "reader" {
		return roles.Reading(ctx, c.Settings, con, c.Logger(con))
	}
	return roles.InTurn(ctx, c.Settings, c.Role, con, c.Logger(con))
}

type runCmd struct{ house.Settings }

// Help returns the long help of the sub-command.
func (runCmd) Help() string {
	return `Everything in one program on this machine: pages, log, NATS and a mailbox that catches
every mail. The first start opens a sample game in which a mail already says "your turn".`
}

// Run serves a house with a sample game until it is told to stop.
func (c *runCmd) Run(ctx context.Context, con console.Console) error {
	return roles.Alone(ctx, c.Settings, con, house.SampleGame)
}
