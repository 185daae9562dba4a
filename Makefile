# Two commands do everything: `make run` and `make test`. Both need Go and make alone.

.PHONY: run test torture check build bench shots clean

# Try it: pages, log, NATS and a mailbox in one program, with a sample game.
run: build
	./bin/posthorn run

build:
	go build -o bin/posthorn ./cmd/posthorn

# Every test. What needs a program that is missing skips and says so; with CI=true it fails.
# The race detector needs a C compiler.
race := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)
# It watches our code and all that is called from it, but for what only counts: SQLite, which is C in
# Go's clothes under a lock of its own, and rasterising, compressing, signing. Watched, SQLite alone
# took two thirds of the tests' time.
unwatched := modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory golang.org/x/image/vector compress/flate github.com/klauspost/compress/flate image/draw crypto/internal/fips140/...
watch = $(if $(race),$(race) $(foreach p,$(unwatched),-gcflags=$p=-race=false))

# A game starts no goroutine (domain has a test of that), and words are looked up by whoever asks: their own tests have nothing to watch.
# Those of domain/rulebooks are made without the detector and, shorter, with it: they play all games side by side.
alone := ./domain/... ./projections/words/...

# Those that take longest, first, so that none of them is left over at the end.
longest := ./cmd/posthorn/... ./http ./events/record ./mail/inbound ./events/relay ./domain/rulebooks

# A timeout is there for what hangs; on a machine with much other work the longest line takes an hour.
# Two lines of tests run side by side, that both processors have something to do to the end: one package waits much, and one alone
# computes on one. A fault in the one does not stop the other. What vet finds, check has found.
test: check
ifeq ($(race),)
	@echo "NO C COMPILER ON THIS MACHINE: the tests run without the race detector (install gcc)"
	@test "$$CI" != true
endif
	@$(MAKE) --no-print-directory -k -j2 test-watched test-others

.PHONY: test-watched test-others
test-watched:
	go test -vet=off $(watch) -timeout 90m -skip '$(walks)' $(longest) $$(go list ./... | grep -vxF "$$(go list $(longest) $(alone) ./mail)")

# Weeks and years of mail in a bubble of time: 150,000 goroutines one after the other, over which the detector's own runtime breaks down
# (a fault in its memory, sooner where the processors have other work). What they do side by side the other tests of ./mail do, watched.
years := ^Test(AYearOfTheWholeHouse|AYearOfGames|TwoWeeksOfFourFriends)$$

# The same holds for the walk through a whole house; its outer form is watched.
walks := ^TestTheWalk$$

test-others:
	go test -vet=off -timeout 90m $(alone)
	go test -vet=off -timeout 90m -run '$(walks)' ./cmd/posthorn/tests/walk
	go test -vet=off -timeout 90m -run '$(years)' ./mail
	go test -vet=off $(watch) -timeout 90m -skip '$(years)' ./mail

# The long forms of all tests: more games, more kills, a longer time without NATS or mail server.
torture:
	POSTHORN_LONG=1 go test -count 1 -timeout 4h ./...

# What a reader would stumble over.
check:
	@files=$$(gofmt -l cmd domain events http mail migrations projections); \
	if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	go vet ./...
	go vet -tags shots ./cmd/...
	go tool staticcheck ./...

# The figures of docs/performance.md.
bench: build
	go test -run '^$$' -bench . -benchmem ./domain/... ./events/... ./projections/... ./mail
	./bin/posthorn bench log

# Pictures of every page and mail, phone and desktop, light and dark, in four languages, and contact sheets of them;
# it needs Chromium. For less: make shots LANGS=en,pl ONLY='^(front|new-)' SIZE=phone LOOK=dark
shots:
	POSTHORN_SHOTS=$(CURDIR)/bin/shots POSTHORN_SHOTS_LANG=$(LANGS) POSTHORN_SHOTS_ONLY='$(ONLY)' POSTHORN_SHOTS_SIZE=$(SIZE) POSTHORN_SHOTS_LOOK=$(LOOK) \
		go test -tags shots -run '^TestShots$$' -count 1 -timeout 2h -v ./cmd/posthorn/tests/browser

clean:
	rm -rf bin
