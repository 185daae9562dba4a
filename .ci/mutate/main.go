// Command mutate makes small faults in the program, one at a time and at places drawn by lot, and says which of
// them no test sees:
//
//	nice go run ./.ci/mutate -n 40 -seed 1 -also ./events/memory ./events
//
// It changes no source: each fault is compiled through an overlay. (Tests that fail may leave testdata/rapid.) Those
// of the package itself run first, then those of -also, up to the first failure. A fault that does not compile is
// drawn again. What survives a person reads: a test is missing, or nobody could notice the fault.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// limit is how long tests may take. A fault that makes them take longer is killed, if without it they are far quicker.
const limit = 2 * time.Minute

func main() {
	count := flag.Int("n", 50, "how many faults")
	seed := flag.Uint64("seed", 1, "the lot: the same seed draws the same faults of the same source")
	also := flag.String("also", "", "packages, with commas, whose tests run where those of the package itself see nothing")
	keep := flag.String("keep", "", "a folder, from its root on, for what survives: N.json is for go test -overlay")
	flag.Parse()
	if err := run(flag.Args(), *count, *seed, strings.FieldsFunc(*also, func(r rune) bool { return r == ',' }), *keep); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(packages []string, count int, seed uint64, also []string, keep string) error {
	files, err := exec.Command("go", append([]string{"list", "-f", `{{$p := .}}{{range .GoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}{{"\n"}}{{end}}`}, packages...)...).Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	var places []place
	for line := range strings.Lines(string(files)) {
		if pkg, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			if places, err = placesIn(places, pkg, file); err != nil {
				return err
			}
		}
	}
	fmt.Println(len(places), "places")
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left lies among what is temporary

	luck := rand.New(rand.NewPCG(seed, 0))
	luck.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	tried, killed := 0, 0
	for _, p := range places {
		if tried == count {
			break
		}
		f := p.faults[luck.IntN(len(p.faults))]
		overlay, err := write(filepath.Join(dir, "fault"), p.file, f)
		if err != nil {
			return err
		}
		if exec.Command("go", "build", "-overlay", overlay, p.pkg).Run() != nil {
			continue
		}
		by, err := killer(overlay, append([]string{p.pkg}, also...))
		if err != nil {
			return err
		}
		if tried++; by != "" {
			killed++
		} else if keep != "" {
			if _, err := write(filepath.Join(keep, strconv.Itoa(tried)), p.file, f); err != nil {
				return err
			}
		}
		fmt.Printf("%d %s:%d %s: %s\n", tried, p.file, p.line, f.what, cmp.Or(by, "SURVIVED"))
	}
	fmt.Printf("%d of %d killed\n", killed, tried)
	return nil
}

// write puts a faulty file beside the overlay that has it stand in for the one it was made from.
func write(name, file string, f fault) (overlay string, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(name+".go", slices.Concat(source[:f.from], []byte(f.to), source[f.end:]), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{file: name + ".go"}})
	if err != nil {
		return "", err
	}
	return name + ".json", os.WriteFile(name+".json", text, 0o600)
}

// killer is the package whose tests see a fault, with the test's name; "" if none do.
func killer(overlay string, packages []string) (string, error) {
	for _, p := range packages {
		out, err := exec.Command("go", "test", "-vet=off", "-failfast", "-timeout", limit.String(), "-overlay", overlay, p).CombinedOutput()
		if err == nil {
			continue
		}
		if bytes.Contains(out, []byte("panic: test timed out")) {
			if err := exec.Command("go", "test", "-vet=off", "-timeout", (limit / 4).String(), p).Run(); err != nil {
				return "", fmt.Errorf("the tests of %s fail or are slow without any fault: %w", p, err)
			}
		}
		_, test, _ := strings.Cut(string(out), "--- FAIL: ")
		test, _, _ = strings.Cut(test, " ")
		return "killed by " + p + " " + test, nil
	}
	return "", nil
}
