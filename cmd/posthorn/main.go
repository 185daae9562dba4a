// Command posthorn runs slow board games by mail.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"posthorn/cmd/posthorn/internal/bench"
	"posthorn/cmd/posthorn/internal/console"
	"posthorn/cmd/posthorn/internal/folder"
)

// settings holds every sub-command with its settings; each setting is a flag and an environment variable.
type settings struct {
	Run      runCmd           `cmd:"" help:"Try it: everything on this machine, with a sample game and a mailbox."`
	Setup    setupCmd         `cmd:"" help:"Set up a house: six questions, each answer tried at once."`
	Serve    serveCmd         `cmd:"" help:"Serve a house for real people, with a real mail server."`
	Play     playCmd          `cmd:"" help:"Play a script: a text file of settings, dictated chance and moves."`
	Simulate simulateCmd      `cmd:"" help:"Play random games, to find faults and to measure."`
	Export   exportCmd        `cmd:"" help:"Write a table's history as a record that anyone can check."`
	Script   scriptCmd        `cmd:"" help:"Write a record of a table that has ended as a script."`
	Verify   verifyCmd        `cmd:"" help:"Check a record, or every table of a house."`
	Archive  archiveCmd       `cmd:"" help:"Write the finished games to small files that verify by themselves."`
	Unpack   unpackCmd        `cmd:"" help:"Write an archived game as a record."`
	Handover handoverCmd      `cmd:"" help:"Take a running table to another server."`
	Import   importCmd        `cmd:"" help:"Go on with a table that another server handed over."`
	Key      keyCmd           `cmd:"" help:"Print this server's public key, for a handover to it."`
	Claims   claimsCmd        `cmd:"" help:"Print a link for each seat, for players whose accounts were lost with people.db."`
	Backup   backupCmd        `cmd:"" help:"Copy a house, also while it is served, and check the copy."`
	PutBack  restoreBackupCmd `cmd:"" name:"restore" help:"Put a backup into an empty folder, and check it."`
	Restore  restoreCmd       `cmd:"" name:"restore-from-nats" help:"Make a lost events.db anew from the copy that NATS holds."`
	Mail     mailCmd          `cmd:"" help:"The mail queue: what waits, what failed for good, and sending that again."`
	Doctor   doctorCmd        `cmd:"" help:"Look whether mails go out and come in: the queue, the mail server, DNS, the public address, the clock."`
	People   peopleCmd        `cmd:"" help:"Who is here: list, let in, keep out, and who may sign up."`
	Forget   forgetCmd        `cmd:"" help:"Forget a person, without taking others' games along."`
	Rebuild  rebuildCmd       `cmd:"" help:"Fill the inbox and the lobby anew from the log. No mail is sent."`
	Words    wordsCmd         `cmd:"" help:"Print every text of the house, the four languages one under the other."`
	Bench    bench.Cmd        `cmd:"" help:"Measure parts of the house on this machine."`
}

func main() {
	folder.OwnFiles()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one ends the program where it is
	os.Exit(run(ctx, os.Args[1:], console.Console{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// run runs a sub-command and returns the exit status; see [console.Run].
func run(ctx context.Context, args []string, con console.Console) int {
	return console.Run(ctx, &settings{}, args, con)
}
