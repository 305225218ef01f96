# Weir: what can be made, and how.
#
#   make run        install what is missing, build a release binary, open the reader
#   make test       install what is missing, run every test
#   make build      the release binary, .build/release/weir
#   make install    the one binary, below PREFIX (/usr/local)
#   make lint       formatting and style, without a build
#   make format     put the sources into the committed format
#   make golden     record the golden screens anew (look at the difference before committing)
#   make bench      build the databases and the loopback origin itself, measure, print tables
#   make soak       the long forms of the fault tests (about half an hour), and a table of their results
#   make deps       the system libraries only
#   make clean      remove what was built
#   make help       this list

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Arguments for the reader: make run ARGS="--offline"
ARGS ?=

SOURCES := Package.swift Sources Tests
# One set of flags for each configuration: changing them would build everything anew.
RELEASE := -c release --static-swift-stdlib
ifeq ($(shell uname),Darwin)
RELEASE := -c release
endif
WEIR := .build/release/weir

.PHONY: run test build install uninstall lint format golden bench soak deps clean help

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

run: build
	@exec $(WEIR) $(ARGS)

build: deps
	$(SWIFT) build $(RELEASE) --product weir

test: deps
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

format:
	$(SWIFT) format format --in-place --recursive --parallel $(SOURCES)

golden: deps
	$(SWIFT) build --build-tests
	WEIR_RECORD_GOLDEN=1 $(SWIFT) test --skip-build --filter ReaderUITests

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(WEIR) "$(DESTDIR)$(PREFIX)/bin/weir"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/weir"

bench: build
	$(SWIFT) build $(RELEASE) --product bench
	.build/release/bench $(WEIR) $(ARGS)

SOAKED := .build/soak.md

soak: deps
	$(SWIFT) build --build-tests
	@rm -f $(SOAKED)
	WEIR_SOAK="$(CURDIR)/$(SOAKED)" $(SWIFT) test --skip-build --no-parallel \
	  --filter 'FaultTests|BackupTests'
	@printf '| fault | extent | result |\n|---|---|---|\n'; cat $(SOAKED)

# The libraries that Weir links, and tmux, in which the end-to-end tests run a real terminal.
DEBIAN := libcurl4-openssl-dev libxml2-dev libncurses-dev libsqlite3-dev pkg-config ca-certificates tmux
BREW := curl libxml2 ncurses pkgconf tmux

deps:
	@if command -v apt-get >/dev/null; then \
	  missing=$$(for p in $(DEBIAN); do \
	    dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'install ok' || echo $$p; done); \
	  if [ -n "$$missing" ]; then \
	    echo "Installing:" $$missing; \
	    if [ "$$(id -u)" = 0 ]; then as=; else as=sudo; fi; \
	    $$as apt-get update -qq && \
	    $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing >/dev/null || \
	    { echo "Could not install them. Install by hand: $(DEBIAN)" >&2; exit 1; }; \
	  fi; \
	elif command -v brew >/dev/null; then \
	  for p in $(BREW); do brew list $$p >/dev/null 2>&1 || brew install $$p; done; \
	else \
	  echo "Needed: libcurl, libxml2, ncursesw and sqlite3 with their headers, pkg-config, tmux."; \
	fi
	@command -v $(SWIFT) >/dev/null || { \
	  echo "No Swift toolchain in PATH. Weir needs Swift 6.2 or newer: see swift.org/install." >&2; exit 1; }

clean:
	rm -rf .build
