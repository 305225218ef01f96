# Weir: what can be made, and how.
#
#   make run        install what is missing, build a release binary, open the reader
#   make test       install what is missing, run every test (FILTER=name for some); the failures
#                   stand together at the end
#   make build      the release binary, .build/release/weir
#   make install    the binary, its manual page and completions, below PREFIX (/usr/local); make uninstall
#   make lint       formatting and style, without a build
#   make format     put the sources into the committed format
#   make golden     record the golden screens, the table of keys, texts, schema and the manual page anew (look at the diff)
#   make screenshots  the pictures of the README and the documentation, from an invented web
#   make simulate   the concurrency limiter against fixed limits, on seven simulated networks
#   make manners    simulated days (DAYS=365) with an origin that counts broken rules of etiquette
#   make netlab     what simulate compares, on real rate-limited lines between network namespaces (Linux, root)
#   make bench      build the databases and the loopback origin itself, measure, print tables
#   make profile    where the CPU time of a sync and of the search index goes, by stage (Linux, perf)
#   make soak       the long forms of the fault tests (about half an hour), and a table of their results
#   make fuzz       throw broken input at the parsers (SECONDS=60 each; TARGET=xml for one;
#                   SEED=1 for the same walk again)
#   make tsan       every test under the thread sanitiser; make asan: under the address sanitiser
#   make scale      the bench for caches of 100,000 and 1,000,000 articles: some minutes, 2.5 GB
#   make deps       the system libraries only
#   make clean      remove what was built
#   make help       this list

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# How long each fuzz target runs, and which.
SECONDS := 60
# Where the walk begins; 0 for another one each time.
SEED := 0
TARGET := xml json html dates opml newsboat charset account
# Arguments for the reader: make run ARGS="--offline"
ARGS ?=

SOURCES := Package.swift Sources Tests
# One set of flags for each configuration: changing them would build everything anew.
RELEASE := -c release --static-swift-stdlib
ifeq ($(shell uname),Darwin)
RELEASE := -c release
endif
WEIR := .build/release/weir

# Hundreds of tests at once, each with a cache or a terminal of its own, starve each other.
FEW := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6

.PHONY: tsan asan run test build install uninstall lint format golden screenshots simulate netlab manners bench profile scale soak fuzz deps clean help

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

run: build
	@exec $(WEIR) $(ARGS)

build: deps
	$(SWIFT) build $(RELEASE) --product weir

# The tests to run, as `swift test --filter` takes them; all of them when empty.
FILTER ?=
TEST_LOG := .build/test.log
test: deps
	$(SWIFT) build --build-tests
	@($(FEW) $(SWIFT) test --skip-build $(if $(FILTER),--filter '$(FILTER)') 2>&1; \
	  echo $$? >$(TEST_LOG).status) | tee $(TEST_LOG) | grep -a -v '^◇'; \
	status=$$(cat $(TEST_LOG).status); \
	if [ "$$status" != 0 ]; then \
	  printf '\nFailed; all of the output is in $(TEST_LOG):\n'; \
	  grep -a -E '^(✘|↳)' $(TEST_LOG) | grep -a -v -E '^✘ (Test|Suite) .* failed after' | cut -c 1-400 | tail -n 60; \
	  exit "$$status"; \
	fi

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

format:
	$(SWIFT) format format --in-place --recursive --parallel $(SOURCES)

golden: deps
	$(SWIFT) build --build-tests
	WEIR_RECORD_GOLDEN=1 $(FEW) $(SWIFT) test --skip-build --filter 'ReaderUITests|ManualTests|SchemaDocumentTests|ArchitectureTests'

SHOTS := Sources/weir/Documentation.docc/Resources

screenshots: build
	$(SWIFT) build $(RELEASE) --product screenshots
	.build/release/screenshots $(WEIR) $(SHOTS) $(ARGS)

manners: deps
	$(SWIFT) build --build-tests
	WEIR_SIMULATED_DAYS=$${DAYS:-365} $(SWIFT) test --skip-build --filter ThirtyDaysTests

SHARE := $(DESTDIR)$(PREFIX)/share
MANUAL := $(SHARE)/man/man1
BASH := $(SHARE)/bash-completion/completions
ZSH := $(SHARE)/zsh/site-functions
FISH := $(SHARE)/fish/vendor_completions.d

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(WEIR) "$(DESTDIR)$(PREFIX)/bin/weir"
	install -d "$(MANUAL)" "$(BASH)" "$(ZSH)" "$(FISH)"
	install -m 644 Resources/weir.1 "$(MANUAL)/weir.1"
	$(WEIR) --generate-completion-script bash > "$(BASH)/weir"
	$(WEIR) --generate-completion-script zsh > "$(ZSH)/_weir"
	$(WEIR) --generate-completion-script fish > "$(FISH)/weir.fish"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/weir" "$(MANUAL)/weir.1" \
	  "$(BASH)/weir" "$(ZSH)/_weir" "$(FISH)/weir.fish"

simulate:
	$(SWIFT) build $(RELEASE) --product simulate
	.build/release/simulate $(ARGS)

netlab: build
	@[ "$$(uname)" = Linux ] || { echo "The network lab is skipped: it needs Linux."; exit 0; }; \
	$(SWIFT) build $(RELEASE) --product netlab && \
	.build/release/netlab $(WEIR) $(ARGS)

bench: build
	$(SWIFT) build $(RELEASE) --product bench
	.build/release/bench $(WEIR) $(ARGS)

profile: build
	@command -v perf >/dev/null || { echo "The profile is skipped: it needs perf."; exit 0; }; \
	$(SWIFT) build $(RELEASE) --product bench && .build/release/bench $(WEIR) profile $(ARGS)

SOAKED := .build/soak.md
# The suites with a longer form.
SOAKS := BadOriginTests|FaultTests|BackupTests|ProcessTests|AccountEndTests|AccountTests/quitting|HostileSessionTests|TerminalCaseTests

soak: deps
	$(SWIFT) build --build-tests
	@rm -f $(SOAKED)
	WEIR_SOAK="$(CURDIR)/$(SOAKED)" $(SWIFT) test --skip-build --no-parallel \
	  --filter '$(SOAKS)'
	@printf '| fault | extent | result |\n|---|---|---|\n'; cat $(SOAKED)

scale: build
	$(SWIFT) build $(RELEASE) --product bench
	.build/release/bench $(WEIR) --scale 100000 $(ARGS)
	.build/release/bench $(WEIR) --scale 1000000 $(ARGS)

# Builds of their own, as everything in them is instrumented.
TSAN := --sanitize thread --scratch-path .build/thread
ASAN := --sanitize address --scratch-path .build/address
SUPPRESSIONS := $(CURDIR)/Tests/Sanitizers
# A signal that kills is the program's own to handle: tests look at what it does then. Swift's own
# report of a crash reads memory in a way that no sanitiser can tell from a fault.
SIGNALS := handle_segv=0 handle_sigbus=0 handle_sigfpe=0 handle_sigill=0 handle_abort=0
ifeq ($(shell uname),Linux)
MUTEX := .build/thread/MutexForThreads.o
TSAN += -Xlinker $(CURDIR)/$(MUTEX)
endif

$(MUTEX): Tests/Sanitizers/MutexForThreads.c
	@mkdir -p $(@D)
	clang -O2 -c $< -o $@

tsan: deps $(MUTEX)
	$(SWIFT) build --build-tests $(TSAN)
	SWIFT_BACKTRACE=enable=no TSAN_OPTIONS="suppressions=$(SUPPRESSIONS)/thread.txt $(SIGNALS)" $(FEW) \
	  $(SWIFT) test --skip-build $(TSAN) $(ARGS)

asan: deps
	$(SWIFT) build --build-tests $(ASAN)
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS="detect_leaks=0 $(SIGNALS)" $(FEW) $(SWIFT) test --skip-build $(ASAN) $(ARGS)

# Needs a toolchain that brings libFuzzer: those of swift.org do, on Linux.
FUZZ := .build/fuzz
fuzz: deps
	@ls "$$(dirname "$$(realpath "$$(command -v $(SWIFT))")")"/../lib/clang/*/lib/*/libclang_rt.fuzzer* \
	  >/dev/null 2>&1 || { echo "Fuzzing is skipped: this toolchain has no libFuzzer."; exit 0; }; \
	$(SWIFT) build -c release --package-path Tests/Fuzz/Fuzzer --scratch-path $(FUZZ) || exit 1; \
	for target in $(TARGET); do \
	  mkdir -p $(FUZZ)/found $(FUZZ)/corpus/$$target; \
	  SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1 \
	    $(FUZZ)/release/fuzz $$target -seed=$(SEED) -max_total_time=$(SECONDS) \
	    -timeout=10 -rss_limit_mb=1024 -artifact_prefix=$(FUZZ)/found/$$target- \
	    $(FUZZ)/corpus/$$target Tests/Fuzz/Corpus/$$target >$(FUZZ)/$$target.log 2>&1 || { \
	    grep -a -E 'Fatal error|ERROR|SUMMARY|unit written' $(FUZZ)/$$target.log; \
	    echo "$$target: failed; more in $(FUZZ)/$$target.log. Once it is mended, keep the input in" \
	      "Tests/Fuzz/Corpus/$$target, where every test run tries it again." >&2; exit 1; }; \
	  echo "$$target: $$(tail -n 1 $(FUZZ)/$$target.log)"; \
	done

# The libraries that Weir links.
DEBIAN := libcurl4-openssl-dev libpsl-dev libncurses-dev libsqlite3-dev libre2-dev pkg-config ca-certificates
BREW := curl libpsl ncurses re2 pkgconf
# tmux, in which the end-to-end tests run a real terminal, and libxml2, which the bench measures.
test golden simulate manners netlab bench profile scale soak tsan asan: DEBIAN += libxml2-dev tmux
test golden simulate manners netlab bench profile scale soak tsan asan: BREW += libxml2 tmux

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
	  echo "Needed: libcurl, libpsl, ncursesw, sqlite3 and re2 with their headers, pkg-config, tmux."; \
	fi
	@command -v $(SWIFT) >/dev/null || { \
	  echo "No Swift toolchain in PATH. Weir needs Swift 6.2 or newer: see swift.org/install." >&2; exit 1; }

clean:
	rm -rf .build
