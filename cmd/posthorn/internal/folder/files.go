package folder

import (
	"context"
	"errors"
	"io"
	"os"
)

// The files that a house cannot do without, in the order they are copied: the log before the people, so that nobody in
// it is missing, and the mails last, so that no mail counts as sent that was not.
var (
	KeptDatabases = []string{"events.db", "people.db", "mail.db"}
	KeptFiles     = []string{"server.key", "dkim-rsa.pem", "dkim-ed25519.pem", CheckpointsFile}
)

// CopyFile copies a file, readable by its owner only, and flushes it to the disk. If ctx ends, a part of it is there.
func CopyFile(ctx context.Context, from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, untilDone{ctx, in}); err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// untilDone reads until its context ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (r untilDone) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

// CheckpointsFile holds every checkpoint that the house has signed. TreeFile can be rebuilt at any time.
const (
	CheckpointsFile = "checkpoints.txt"
	TreeFile        = "checkpoints.tree"
)

// Settings say where the house keeps its files.
type Settings struct {
	Data string `default:"./posthorn-data" type:"path" help:"The folder everything is kept in: events.db, people.db, mail.db, the server's key."`
}
