package bench

import (
	"context"

	"posthorn/cmd/posthorn/internal/console"
)

// run runs "posthorn bench" as the program does, and returns the exit status.
func run(ctx context.Context, args []string, con console.Console) int {
	return console.Run(ctx, &struct {
		Bench Cmd `cmd:""`
	}{}, args, con)
}
