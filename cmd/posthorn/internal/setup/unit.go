package setup

import (
	_ "embed"
	"strings"
	"text/template"
)

// Unit is the service for systemd.
type Unit struct {
	Path        string // its file
	User        string // whom the program runs as
	Data        string
	Environment string // the file of settings
	Program     string
	LowPorts    bool // the program opens ports below 1024
}

//go:embed posthorn.service
var unitText string

// Text returns the file. Each path has been checked to have no space and no %.
func (u Unit) Text() (string, error) {
	t, err := template.New("unit").Parse(unitText)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, u)
	return b.String(), err
}
