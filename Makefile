# Two commands do everything: `make run` and `make test`. Both need Go and make alone.

.PHONY: run test quick torture check build bench shots clean

# Houses wait for the disk at every move. Where the machine has three gigabytes of memory to spare, and lets programs run
# there, the files of tests are in it, which is twice as fast; what the compiler leaves for a while stays on the disk.
ifndef TMPDIR
export TMPDIR := $(shell f=$$(mktemp /dev/shm/XXXXXX 2>/dev/null) && printf '\043!/bin/sh\n' > $$f && chmod +x $$f && $$f && \
	[ $$(df -Pk /dev/shm | awk 'END {print $$4}') -gt 3000000 ] && echo /dev/shm || echo /tmp; rm -f $$f)
export GOTMPDIR ?= /tmp
endif

# Try it: pages, log, NATS and a mailbox in one program, with a sample game.
run: build
	./bin/posthorn run

build:
	go build -o bin/posthorn ./cmd/posthorn

# Every test; where goroutines meet, with the race detector (it needs a C compiler).
# What needs a program that is missing skips and says so; with CI=true it fails. Two lines run side by side, so that
# both processors have something to do while one test waits; a fault in the one does not stop the other.
# A timeout is there for what hangs; on a machine with much other work the longest package takes an hour.
test: check
ifneq ($(shell go env CGO_ENABLED),1)
	@echo "NO C COMPILER ON THIS MACHINE: nothing runs with the race detector (install gcc)"
	@test "$$CI" != true
endif
	@$(MAKE) --no-print-directory -k -j2 test-all test-twice test-watched

# What one waits for while working: no browser, no mail servers, no year of mail, no outages, no walk, no detector. Some
# packages mostly wait for a server that answers nothing, so others run beside them.
quick:
	go vet -tags shots ./...
	go test -vet=off -short -p 4 ./...

# A game starts no goroutine (domain has a test of that), a record is verified by one, and a reply is read by one.
watched := ./events/... ./http/... ./mail ./cmd/posthorn/internal/...

# Two of these also have tests that take long: they run without the detector, and their short tests once more with it.
# All others run once, with it.
twice := ./http ./mail
once = $$(go list $(watched) | grep -vxF "$$(go list $(twice) ./events/record)")

# The detector watches our code and all that is called from it, but for what only counts: SQLite, which is C in
# Go's clothes under a lock of its own, and rasterising, compressing, signing.
unwatched := modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory golang.org/x/image/vector compress/flate \
	github.com/klauspost/compress/flate image/draw crypto/internal/fips140/...
watch := go test -vet=off -race -gcflags=all=-dwarf=false $(foreach p,$(unwatched),-gcflags=$p=-race=false) -timeout 90m

.PHONY: test-all test-twice test-watched
ifeq ($(shell go env CGO_ENABLED),1)
test-twice:
	$(watch) -short $(twice)

test-watched:
	$(watch) $(once)
else
once :=
test-twice test-watched:
endif

# Those that take longest, first, so that none of them is left over at the end.
longest := ./cmd/posthorn/tests/... ./cmd/posthorn ./events/record ./mail/... ./http ./domain/rivals

test-all:
	go test -vet=off -timeout 90m $(longest) $$(go list ./... | grep -vxF "$$(go list $(longest); echo "$(once)")")

# The long forms of all tests: more games, more kills, a longer time without NATS or mail server.
torture:
	POSTHORN_LONG=1 go test -count 1 -timeout 4h ./...
	go test -race -short -count 1 -timeout 4h ./...

# What a reader would stumble over. The tag only adds files; with other tags, vet would look at all libraries again.
check:
	@files=$$(gofmt -l cmd domain events http mail migrations projections); \
	if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	go vet -tags shots ./...
	go tool staticcheck ./...

# The figures of docs/performance.md.
bench: build
	go test -run '^$$' -bench . -benchmem ./domain/... ./events/... ./projections/... ./mail \
		./cmd/posthorn/internal/bench
	./bin/posthorn bench log

# Pictures of every page and mail, phone and desktop, light and dark, in four languages, and contact sheets of them;
# it needs Chromium. For less: make shots LANGS=en,pl ONLY='^(front|new-)' SIZE=phone LOOK=dark
shots:
	POSTHORN_SHOTS=$(CURDIR)/bin/shots POSTHORN_SHOTS_LANG=$(LANGS) POSTHORN_SHOTS_ONLY='$(ONLY)' POSTHORN_SHOTS_SIZE=$(SIZE) POSTHORN_SHOTS_LOOK=$(LOOK) \
		go test -tags shots -run '^TestShots$$' -count 1 -timeout 2h -v ./cmd/posthorn/tests/browser

clean:
	rm -rf bin
