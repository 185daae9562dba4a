package bench

import "posthorn/cmd/posthorn/internal/console"

// run runs "posthorn bench" as the program does, and returns the exit status.
func run(args []string, con console.Console) int {
	return console.Run(&struct {
		Bench Cmd `cmd:""`
	}{}, args, con)
}
