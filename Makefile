# Weir: what can be made, and how.
#
#   make run        install what is missing, build a release binary, open the reader
#   make test       install what is missing, run every test (FILTER=name for some); the failures
#                   stand together at the end
#   make examples   build and run the programs of Tests/Examples, which use the libraries (make test does, too)
#   make build      the release binary, .build/release/weir
#   make install    the program, its manual page and completions, below PREFIX (/usr/local); make uninstall
#   make dist       a tarball for Linux machines without Swift (Debian 12 and Ubuntu 22.04 or newer);
#                   make deb and make rpm: packages; each
#                   with its sums in SHA256SUMS
#   make check      formatting, import rules and the tests that need no network, database or terminal
#   make lint       formatting and style, without a build
#   make format     put the sources into the committed format
#   make golden     record the golden screens, the table of keys, texts, schema, diagram, manual page, JSON of the
#                   commands, and the traces of engine and limiter (look at the diff)
#   make date-names   the names of months and weekdays that dates are read with, out of Foundation's ICU
#   make charts     the charts of Benchmarks.md, from its tables
#   make screenshots  the pictures of the README and the documentation, from an invented web
#   make docs       the documentation as a site, in .build/docs/site, and of the libraries, in .build/docs/libraries
#   make simulate   the concurrency limiter against fixed limits, on seven simulated networks
#   make etiquette  simulated days (DAYS=365) with an origin that counts broken rules of etiquette
#   make netlab     syncs over real rate-limited links between network namespaces (Linux, root)
#   make bench      tables of times, CPU and memory: Weir beside curl, newsboat and sfeed at a loopback
#                   origin (NEWSRAFT=path: newsraft too), then the parser beside libxml2
#   make profile    where the CPU time of a sync and of the search index goes, by stage (Linux, perf)
#   make soak       the long forms of the tests of faults and a table of their results, then make fuzz
#   make fuzz       throw broken input at the parsers (SECONDS=60 each; TARGET=xml for one;
#                   SEED=1 for the same walk again)
#   make mutants    one change at a time in the pure parts, and whether their tests notice (Linux; ARGS=HostGate: in
#                   one file, --sample: each third one, --survivors: those not yet noticed, --list: none is run)
#   make tsan       every test under the thread sanitiser; make asan: under the address sanitiser
#   make scale      the bench for caches of 100,000 and 1,000,000 articles: some minutes, 2.5 GB
#   make deps       the system libraries only
#   make clean      remove what was built
#   make help       this list

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# The one of the toolchain: its sanitisers are those of Swift.
CLANG ?= $(dir $(realpath $(shell command -v $(SWIFT))))clang
# How long each fuzz target runs, and which. "picture" is the decoders of pictures, in C; jpeg, png, gif and
# webp give each input to one of them.
SECONDS := 60
# Where the walk begins; 0 for another one each time.
SEED := 0
TARGET := xml json html dates opml newsboat charset account database folder picture
PICTURES := picture jpeg png gif webp
# For PIPESTATUS.
SHELL := /bin/bash
# Arguments for the reader: make run ARGS="--offline"
ARGS ?=

SOURCES := Package.swift Sources Tests
# One set of flags for each configuration: changing them would build everything anew.
RELEASE := -c release
ifeq ($(shell uname),Linux)
# Libraries come from the system's folders alone, relocations are read-only, C code guards stacks and buffers.
RELEASE += --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
  -Xcc -fstack-protector-strong -Xcc -D_FORTIFY_SOURCE=2
endif
WEIR := .build/release/weir

# Hundreds of tests at once, each with a cache or a terminal of its own, starve each other.
FEW := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6

.PHONY: check tsan asan run test examples build-examples build install uninstall lint format golden date-names charts screenshots simulate netlab etiquette manners bench profile scale soak fuzz mutants deps clean help small dist deb rpm docs library-docs

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

run: build
	@exec $(WEIR) $(ARGS)

build: deps
	$(SWIFT) build $(RELEASE) --product weir

# The tests to run, as `swift test --filter` takes them; all of them when empty.
FILTER ?=
TEST_LOG := .build/test.log
# The targets of tests that FILTER names, or that have what it names: only these are built.
WORDS = $(subst |, ,$(subst /, ,$(subst ., ,$(FILTER))))
ASKED = $(shell for word in $(WORDS); do find Tests -type d -name "$$word*"; \
  grep -rlE "(struct|class|actor|enum|func) $$word" Tests --include='*.swift'; done \
  | sed -E 's,^Tests/(ArchitectureTests|[^/]+/[^/]+).*,\1,; s,.*/,,' | sort -u)
# Nobody debugs in continuous integration: without symbols the tests of the screens compile in six sevenths.
SYMBOLS := $(if $(CI),-Xswiftc -gnone)
# The tests of the screens share one thread, and have a process of their own beside the others.
SCREENS := ReaderUITests
test: export WEIR_TESTS = $(ASKED)
test: deps
	$(SWIFT) build $(SYMBOLS) $(if $(FILTER),--product weirPackageTests,--build-tests)
	@rm -f $(TEST_LOG).status; \
	run() { $(FEW) $(SWIFT) test --skip-build --ignore-lock "$$@" 2>&1 || touch $(TEST_LOG).status; }; \
	{ $(if $(FILTER),run --filter '$(FILTER)',\
	  run --filter '^$(SCREENS)\.' >$(TEST_LOG).screens & \
	  run --skip '^$(SCREENS)\.'; wait; cat $(TEST_LOG).screens); } \
	  | tee $(TEST_LOG) | grep -a -v '^◇'; \
	if [ -e $(TEST_LOG).status ]; then \
	  printf '\nFailed; all of the output is in $(TEST_LOG):\n'; \
	  grep -a -E '^(✘|↳)' $(TEST_LOG) | grep -a -v -E '^✘ (Test|Suite) .* failed after' | cut -c 1-400 | tail -n 60; \
	  exit 1; \
	fi
	@$(if $(FILTER),,Tests/Examples/check.sh .build/debug)

# Programs that use the libraries as another package does: of these they see what is public.
build-examples: deps
	@for example in PrintFeed SanitiseHTML RenderArticle ShowList; do \
	  $(SWIFT) build $(SYMBOLS) --product $$example || exit 1; done
examples: build-examples
	@Tests/Examples/check.sh .build/debug

# What needs no network, database or terminal.
PURE := ArchitectureTests|FeedModelTests|HTMLContentTests|FeedParsingTests|ArticleTextTests|TerminalKitTests|EngineStateTests
check: lint
	$(SWIFT) build --build-tests
	$(FEW) $(SWIFT) test --skip-build --filter '$(PURE)' 2>&1 | grep -a -v -E '^(.\[[0-9]+m)?[◇✔]' ; \
	exit $${PIPESTATUS[0]}

lint:
	@$(SWIFT) format --version >/dev/null 2>&1 || { \
	  echo "This needs swift-format, which Swift toolchains since 6.0 bring: see swift.org/install." >&2; exit 1; }
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

format:
	$(SWIFT) format format --in-place --recursive --parallel $(SOURCES)

golden: deps
	$(SWIFT) build --build-tests
	WEIR_RECORD_GOLDEN=1 $(FEW) $(SWIFT) test --skip-build --filter 'ReaderUITests|ManualTests|JSONKeyTests|SchemaDocumentTests|ArchitectureTests|LimiterRecordTests|EngineRecordTests|EndToEndTests.JSONTests|EndToEndTests.ShellTests'

# The charts of Benchmarks.md, from its tables.
charts: deps
	$(SWIFT) build --build-tests
	WEIR_RECORD_GOLDEN=1 $(SWIFT) test --skip-build --filter BenchmarkTests

date-names:
	$(SWIFT) Resources/dates/WriteDateNames.swift >.build/date-names.txt
	mv .build/date-names.txt Sources/Text/TextRules/Dates/date-names.txt

SHOTS := Sources/Program/weir/Documentation.docc/Resources

screenshots: build
	$(SWIFT) build $(RELEASE) --product screenshots
	.build/release/screenshots $(WEIR) $(SHOTS) $(ARGS)

# The second is its name of old.
etiquette manners: deps
	$(SWIFT) build --build-tests
	WEIR_SIMULATED_DAYS=$${DAYS:-365} $(SWIFT) test --skip-build --filter ThirtyDaysTests

# What is installed and packaged: on Linux the release build linked anew, small (Decision 39).
PACKAGES := .build/packages
PACKAGING := Resources/packaging
SMALL := $(PACKAGES)/weir
VERSION = $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/Program/weir/Support/Version.swift)
# The version of a package: that of the tag; after it, the count of commits and the last one's name.
PACKAGE_VERSION = $(shell git describe --tags --match 'v*' 2>/dev/null | sed 's/^v//; s/-\([0-9]*\)-g/+\1.g/' \
  | grep . || echo "$(VERSION)+$$(git rev-list --count HEAD 2>/dev/null || echo 0).g$$(git rev-parse --short HEAD 2>/dev/null || echo 0)")
# Files in packages are dated by the last commit, so that two builds are the same.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || date +%s)

small: build
	@mkdir -p $(PACKAGES)
ifeq ($(shell uname),Linux)
	$(PACKAGING)/link-small.sh "$(dir $(realpath $(WEIR)))" "$(CURDIR)/$(PACKAGES)/icu" $(SMALL)
	@for binary in $(WEIR) $(SMALL); do $(PACKAGING)/check-hardening.sh $$binary || exit 1; done
else
	cp $(WEIR) $(SMALL) && strip $(SMALL)
endif

install: small
	$(PACKAGING)/stage.sh $(SMALL) "$(DESTDIR)" "$(PREFIX)"

INSTALLED := bin/weir share/man/man1/weir.1 share/bash-completion/completions/weir \
  share/zsh/site-functions/_weir share/fish/vendor_completions.d/weir.fish share/applications/weir.desktop \
  share/metainfo/io.github.weir_reader.weir.metainfo.xml \
  $(foreach folder,lib share,$(folder)/systemd/user/weir-sync.service $(folder)/systemd/user/weir-sync.timer)

uninstall:
	cd "$(DESTDIR)$(PREFIX)" && rm -f $(INSTALLED)

ARCHIVE = weir-$(PACKAGE_VERSION)-$(shell uname -s | tr A-Z a-z)-$(shell uname -m)
dist: small
ifeq ($(shell uname),Linux)
	@$(PACKAGING)/check-linkage.sh $(SMALL) || [ "$(PORTABLE)" = no ] || \
	  { echo "Build the tarball on Debian 12 or Ubuntu 22.04, or say PORTABLE=no: it is for machines like this one." >&2; exit 1; }
endif
	rm -rf "$(PACKAGES)/$(ARCHIVE)"
	$(PACKAGING)/stage.sh $(SMALL) "$(PACKAGES)/$(ARCHIVE)" ""
	install -m 644 README.md LICENSE CHANGELOG.md "$(PACKAGES)/$(ARCHIVE)"
	install -m 755 $(PACKAGING)/install.sh "$(PACKAGES)/$(ARCHIVE)"
	tar -C $(PACKAGES) --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$(SOURCE_DATE_EPOCH) \
	  -c "$(ARCHIVE)" | gzip -9n > "$(PACKAGES)/$(ARCHIVE).tar.gz"
	@ls -l "$(PACKAGES)/$(ARCHIVE).tar.gz"
	@$(SUMS)

deb: small
	$(PACKAGING)/deb.sh $(SMALL) "$(PACKAGE_VERSION)" $(PACKAGES)
	@$(SUMS)

rpm: small
	$(PACKAGING)/rpm.sh $(SMALL) "$(PACKAGE_VERSION)" $(PACKAGES)
	@$(SUMS)

# The checksums of the packages of this version, for `sha256sum --check`.
SUMS = cd $(PACKAGES) && find * -type f -name '*$(PACKAGE_VERSION)*' -regex '.*\.\(tar\.gz\|deb\|rpm\)' | sort | \
  xargs $$(command -v sha256sum || echo shasum -a 256) >SHA256SUMS

# DocC makes a site of the catalogue. In the sources its links are plain ones, which work on any web page.
DOCS := .build/docs
docs:
	@command -v docc >/dev/null && command -v perl >/dev/null || { \
	  echo "This needs docc, which Swift toolchains bring, and perl in PATH." >&2; exit 1; }
	@rm -rf $(DOCS) && mkdir -p $(DOCS)
	@cp -R Sources/Program/weir/Documentation.docc $(DOCS)/Weir.docc
	@cd $(DOCS)/Weir.docc && perl -pi -e '\
	  s#\]\((?:\.\./)?Resources/#](#g; \
	  s#^- \[[^]]*\]\((?:\.\./|Decisions/)?([\w-]+)\.md\)$$#- <doc:$$1>#; \
	  s#\[([^]]*)\]\((?:\.\./|Decisions/)?([\w-]+)\.md\)#[$$1](doc:$$2)#g' *.md Decisions/*.md
	@perl -pi -e 's/^(# Weir)$$/$$1\n\n\@Metadata {\n  \@TechnologyRoot\n}/' $(DOCS)/Weir.docc/Weir.md
	docc convert $(DOCS)/Weir.docc --fallback-display-name Weir --fallback-bundle-identifier weir \
	  --warnings-as-errors --transform-for-static-hosting --output-path $(DOCS)/site
	@$(MAKE) --no-print-directory library-docs

# A site for each library, in .build/docs/libraries, from its catalogue and its public declarations. The modules
# are those of the examples. A warning, such as a broken link, is an error; a parameter may have no comment.
LIBRARIES := FeedParsing HTMLContent ArticleText TerminalKit TerminalViews NcursesTerminal
library-docs: build-examples
	@target=$$($(SWIFT) -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -n 1); \
	sdk=$$(command -v xcrun >/dev/null && echo "-sdk $$(xcrun --show-sdk-path)"); \
	for library in $(LIBRARIES); do \
	  symbols=$(DOCS)/symbols/$$library; rm -rf $$symbols; mkdir -p $$symbols $(DOCS)/libraries && \
	  $(SWIFT) symbolgraph-extract -module-name $$library -target $$target $$sdk -minimum-access-level public \
	    -I .build/debug/Modules $(foreach module,CXXHash CRE2 CNcurses,-I .build/debug/$(module).build) \
	    -output-dir $$symbols && \
	  docc convert Sources/*/$$library/Documentation.docc --additional-symbol-graph-dir $$symbols \
	    --fallback-display-name $$library --fallback-bundle-identifier weir.$$library \
	    --transform-for-static-hosting --output-path $(DOCS)/libraries/$$library \
	    --diagnostics-file $$symbols.json >$$symbols.log 2>&1 || { cat $$symbols.log; exit 1; }; \
	  if grep -E ' (warning|error): ' $$symbols.log | grep -v 'is missing documentation'; then exit 1; fi; \
	done

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
SOAKS := LineBreakingTests|ReadingTests/inputTakesMoreThan|IncrementalLayoutTests|HostilePageTests|TextFileTests|ConfigurationTests/mutations|BadOriginTests|FaultTests|BackupTests|RecoveryTests|RuleTests/counters|SimulationTests|TwoClientsTests|ProcessTests|AccountEndTests|AccountTests/quitting|HostileSessionTests|TerminalCaseTests|FolderSyncTests|SharedFolderTests|FolderExchangeTests|FolderKillTests|FeedHistoryTests|KeyStormTests|TruncatedFeedTests|ListTests|JudgementTests

soak: deps
	$(SWIFT) build --build-tests
	@rm -f $(SOAKED)
	WEIR_SOAK="$(CURDIR)/$(SOAKED)" $(SWIFT) test --skip-build --no-parallel \
	  --filter '$(SOAKS)'
	@printf '| fault | extent | result |\n|---|---|---|\n'; cat $(SOAKED)
	@$(MAKE) --no-print-directory fuzz

scale: build
	$(SWIFT) build $(RELEASE) --product bench
	.build/release/bench $(WEIR) --scale 100000 $(ARGS)
	.build/release/bench $(WEIR) --scale 1000000 $(ARGS)

# Builds of their own, as everything in them is instrumented.
TSAN := --sanitize thread --scratch-path .build/thread
ASAN := --sanitize address --scratch-path .build/address
SUPPRESSIONS := $(CURDIR)/Tests/Tools/Sanitizers
# A signal that kills is the program's own to handle: tests look at what it does then. Swift's own
# report of a crash reads memory in a way that no sanitiser can tell from a fault.
SIGNALS := handle_segv=0 handle_sigbus=0 handle_sigfpe=0 handle_sigill=0 handle_abort=0
ifeq ($(shell uname),Linux)
MUTEX := .build/thread/MutexForThreads.o
TSAN += -Xlinker $(CURDIR)/$(MUTEX)
endif

$(MUTEX): Tests/Tools/Sanitizers/MutexForThreads.c
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
# Leaks are looked for in C alone: a pointer that Swift stores with a tag counts as lost.
# CONFIGURATION=debug builds in half the time, and tries an eighth of the inputs.
FUZZ := .build/fuzz
CONFIGURATION := release
fuzz: deps
	@ls "$$(dirname "$$(realpath "$$(command -v $(SWIFT))")")"/../lib/clang/*/lib/*/libclang_rt.fuzzer* \
	  >/dev/null 2>&1 || { echo "Fuzzing is skipped: this toolchain has no libFuzzer."; exit 0; }; \
	if [ -n "$(filter-out $(PICTURES),$(TARGET))" ]; then \
	  $(SWIFT) build -c $(CONFIGURATION) --package-path Tests/Tools/FuzzTests/Fuzzer --scratch-path $(FUZZ) || exit 1; fi; \
	for target in $(filter $(PICTURES),$(TARGET)); do \
	  mkdir -p $(FUZZ); \
	  $(CLANG) -g -O1 -fsanitize=fuzzer,address,undefined -ISources/System/CPictures/include -ISources/System/CPictures \
	    -DWEIR_FUZZ_$$target Sources/System/CPictures/*.c Tests/Tools/FuzzPictures/Fuzz.c -o $(FUZZ)/$$target -ljpeg \
	    -lpng -lwebpdemux -lwebp -lgif -lz -lm 2>$(FUZZ)/$$target.build || \
	    { cat $(FUZZ)/$$target.build; exit 1; }; done; \
	for target in $(TARGET); do \
	  mkdir -p $(FUZZ)/found $(FUZZ)/corpus/$$target; \
	  program="$(FUZZ)/$(CONFIGURATION)/fuzz $$target"; seeds=Tests/Tools/FuzzTests/Corpus/$$target; \
	  leaks=0; case " $(PICTURES) " in *" $$target "*) \
	    program=$(FUZZ)/$$target; seeds=Tests/Tools/FuzzTests/Corpus/picture; leaks=1;; esac; \
	  SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1 ASAN_OPTIONS=detect_leaks=$$leaks \
	    $$program -seed=$(SEED) -max_total_time=$(SECONDS) \
	    -timeout=10 -rss_limit_mb=1024 -artifact_prefix=$(FUZZ)/found/$$target- \
	    $(FUZZ)/corpus/$$target $$seeds >$(FUZZ)/$$target.log 2>&1 || { \
	    grep -a -E 'Fatal error|ERROR|SUMMARY|unit written' $(FUZZ)/$$target.log; \
	    echo "$$target: failed; more in $(FUZZ)/$$target.log. Once it is fixed, keep the input in" \
	      "$$seeds, where every test run tries it again." >&2; exit 1; }; \
	  echo "$$target: $$(tail -n 1 $(FUZZ)/$$target.log)"; \
	done

# The outcomes, and the instrumented copy of the package, stay in .build/mutants for the next run.
mutants: deps
	$(SWIFT) build -c release --package-path Tests/Tools/Mutants --scratch-path .build/mutants/tool
	nice .build/mutants/tool/release/mutants $(ARGS)

# The libraries that Weir links.
DEBIAN := libcurl4-openssl-dev libpsl-dev libncurses-dev libsqlite3-dev libre2-dev libjpeg-dev libpng-dev \
  libwebp-dev libgif-dev libxxhash-dev pkg-config ca-certificates
BREW := curl libpsl ncurses re2 jpeg-turbo libpng webp giflib xxhash pkgconf
# tmux, in which the end-to-end tests run a real terminal, and libxml2, which the bench measures.
test examples golden simulate etiquette manners netlab bench profile scale soak tsan asan: DEBIAN += libxml2-dev tmux
test examples golden simulate etiquette manners netlab bench profile scale soak tsan asan: BREW += libxml2 tmux

deps:
	@command -v $(SWIFT) >/dev/null || { \
	  echo "No Swift toolchain in PATH. Weir needs Swift 6.2 or newer: see swift.org/install." >&2; exit 1; }
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
	  echo "Needed: libcurl, libpsl, ncursesw, sqlite3, re2, libjpeg-turbo, libpng, libwebp, giflib and xxHash with their headers, pkg-config, tmux."; \
	fi

clean:
	rm -rf .build
