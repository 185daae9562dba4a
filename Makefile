# Two commands do everything: `make run` and `make test`. Both need Go and make alone.

.PHONY: run test check build bench clean

# Try it: pages, log, NATS and a mailbox in one program, with a sample game.
run: build
	./bin/posthorn run

build:
	go build -o bin/posthorn ./cmd/posthorn

# Every test. What needs a program that is missing skips and says so; with CI=true it fails.
# The race detector needs a C compiler.
race := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

test: check
ifeq ($(race),)
	@echo "NO C COMPILER ON THIS MACHINE: the tests run without the race detector (install gcc)"
	@test "$$CI" != true
endif
	go test $(race) -timeout 30m ./...

# What a reader would stumble over.
check:
	@files=$$(gofmt -l cmd domain events http mail migrations projections); \
	if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	go vet ./...
	go tool staticcheck ./...

# The figures of docs/performance.md.
bench: build
	go test -run '^$$' -bench . -benchmem ./domain/... ./events/... ./projections/... ./mail
	./bin/posthorn bench log

clean:
	rm -rf bin
