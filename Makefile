# make alone lists the targets. Every step of the checks is a target of its own.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# How long each fuzz target runs, and how many random sequences a deep test plays.
FUZZTIME ?= 20s
CHECKS ?= 2000

# How many commands each of the 64 clients of a long history gives.
STEPS ?= 400

CACHE := .cache
LINTER := $(CACHE)/bin/golangci-lint

# The packages that are tested on both kinds of Redis by long days, and all but
# those and the ones with a browser.
STORES := ./internal/hallredis ./internal/metrics
OTHERS = $$(go list ./... | grep -v '/e2e\(/\|$$\)' | grep -v '/internal/\(hallredis\|metrics\)$$')

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

## run and build

.PHONY: run
run: ## install what is missing, build, start the server with the demo hall (data in ./data)
	@scripts/setup run
	@$(MAKE) binary
	exec bin/hallcall serve --demo $(ARGS)

.PHONY: build
build: ## install what is missing, build the static binary bin/hallcall
	@scripts/setup build
	@$(MAKE) binary

.PHONY: binary
binary:
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/hallcall ./cmd/hallcall

.PHONY: setup
setup: ## install everything that the targets below need
	@scripts/setup test

.PHONY: generate
generate: ## write the Go code of the templates
	@scripts/setup build
	go tool templ generate -log-level error

.PHONY: clean
clean: ## remove what was built; ./data stays
	rm -rf bin $(CACHE) node_modules static/vendor/*.{js,css} static/voice/*.{mp3,json,stamp}

## checks

.PHONY: test
test: ## install what is missing and run all tests, with the race detector
	@$(MAKE) setup
	@$(MAKE) verify
	@CI=true $(MAKE) test-go
	@CI=true $(MAKE) e2e

.PHONY: test-go
test-go: ## unit, store and handler tests, with the race detector
	go test -race -timeout 20m $(OTHERS)
	@# The in-process Redis interprets Lua in Go, ten times as slowly under the race
	@# detector: with it both kinds are tested without, and the real one with it.
	go test -timeout 20m $(STORES) -rapid.checks 40
	go test -race -timeout 20m -run '/^redis$$' -skip '^TestRandomDaysMove$$' $(STORES) -rapid.checks 20

.PHONY: e2e
e2e: ## browser tests and whole processes, with the race detector
	@# Tests of pages wait most of their time, so more run than there are cores.
	go test -race -timeout 20m -count=1 -parallel 3 ./e2e
	go test -race -timeout 20m -count=1 -p 1 ./e2e/contract ./e2e/processes

.PHONY: verify
verify: ## generated code, go.mod, npm lock and list of licences are current
	@scripts/verify

.PHONY: lint
lint: $(LINTER) ## the linters of .golangci.yaml; building and running them takes minutes, so that test does without
	$(LINTER) run

.PHONY: fmt
fmt: $(LINTER) ## format Go code and templates
	$(LINTER) fmt
	go tool templ fmt -log-level error .

$(LINTER): tools/go.mod tools/go.sum
	@echo 'building the linter, once'
	cd tools && go build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

.PHONY: licences
licences: ## write THIRD_PARTY.md anew
	@scripts/setup build
	go run ./scripts/licences >$(CACHE)/THIRD_PARTY.md
	mv $(CACHE)/THIRD_PARTY.md THIRD_PARTY.md

.PHONY: screenshots
screenshots: ## make the pictures of the README anew
	@scripts/setup test
	SCREENSHOTS=$(CURDIR)/e2e/screenshots go test -count=1 -run '^TestScreenshots$$' ./e2e

## longer ones

.PHONY: bench
bench: ## benchmarks
	@scripts/setup run
	go test -run '^$$' -bench . -benchmem $(OTHERS) $(STORES)

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (20s)
	@scripts/fuzz $(FUZZTIME)

.PHONY: soak
soak: ## a board through 5,000 calls, and a clumsy proctor for long
	@scripts/setup test
	CI=true SOAK=1 go test -count=1 -timeout 1h -v -run '^(TestABoardLivesForDays|TestADayWithAClumsyProctor)$$' ./e2e

.PHONY: test-deep
test-deep: ## CHECKS (2000) random sequences of commands against the model, and long histories of STEPS (400) commands a client
	@scripts/setup run
	CI=true go test -count=1 -timeout 2h -run '^TestStore$$' ./internal/hallredis -rapid.checks $(CHECKS)
	CI=true go test -count=1 -timeout 2h -run 'Day' ./internal/metrics -metrics.deep -rapid.checks $(CHECKS)
	CI=true go test -count=1 -timeout 2h -run '^TestHistory$$' ./e2e/processes -v -history.steps $(STEPS)
