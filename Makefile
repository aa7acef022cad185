# The commands of the README. `make demo` and `make test` set up what they need.
SWIFT ?= swift
# STRICT=1, as the continuous integration sets it: warnings are errors, and so is an import that Package.swift hides.
FLAGS = $(if $(STRICT),-Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error)

# All tests are of Swift Testing. People read of failures and the sum; the log of the continuous integration names all.
# Hundreds of tests at once hold more descriptors than the 1024 that a login shell usually has.
TEST = ulimit -n "$$(ulimit -Hn)"; $(SWIFT) test --skip-build --disable-xctest $(FLAGS) $(if $(STRICT),,--quiet)

.PHONY: demo test test-browser setup build lint sanitize bench bench-compare bench-tools bench-vast bench-sessions \
    bench-adapters bench-declared bench-client soak fuzz clean

## Sets up, builds, starts the gateway and its sandbox networks, serves one ad of each format.
## ONCE=1 ends after printing; PORT=9000 moves the ports.
demo: build
	@.build/release/weir demo $(if $(PORT),--port $(PORT)) $(if $(ONCE),--once)

# What starts programs or waits by the clock; a machine that runs hundreds of other tests at once would be too late.
ALONE = EndToEndTests|DocsTests|WeirTestingTests|WireTableTests|BadChildTests|ProcessAdapterTests|ExampleTests

## Sets up, then runs every test; random sequences run alone, for they fill the machine; those that start whole gateways
## come last, one at a time.
test: setup
	@$(SWIFT) build --build-tests $(FLAGS)
	@echo "Testing the rooms (failures are shown, and the sum)"
	@$(TEST) --skip 'PropertyTests|$(ALONE)'
	@$(TEST) --filter PropertyTests
	@echo "Testing whole gateways, one after another, for a minute or two"
	@$(TEST) --no-parallel --filter '$(ALONE)'

## The web player in headless Chromium, against the built demo; screenshots stay in .build/browser.
test-browser: build
	@scripts/test-browser.sh

## Installs the Debian packages that Weir builds against.
setup:
	@scripts/setup.sh

build: setup
	@$(SWIFT) build -c release --product weir $(FLAGS)

## The source style, strictly.
lint:
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Adapters Examples Tests

## The tests under the address sanitizer, then under the thread sanitizer.
sanitize: setup
	@scripts/sanitize.sh

## The gateway beside nginx: processor time and requests a second, latency, memory, start, two workers (docs/performance.md).
## ARGUMENTS='--rounds 9 --parts throughput,latency' measures longer, or less. Needs Debian's nginx-light and wrk.
bench: build bench-tools
	@Benchmarks/HTTP/bench.py --tools .build/workshop/release --json .build/bench/http.json $(ARGUMENTS)

## The same for this tree and for revision REV in the same rounds: what a change did.
bench-compare: build bench-tools
	@scripts/bench-compare.sh $(REV) $(ARGUMENTS)

bench-tools:
	@WEIR_WORKSHOP=1 $(SWIFT) build -c release --scratch-path .build/workshop --product bench-load
	@WEIR_WORKSHOP=1 $(SWIFT) build -c release --scratch-path .build/workshop --product bench-upstream

## Reads VAST against xmllint in the same run; needs the documents of WEIR_SHARED.
bench-vast: setup
	@WEIR_WORKSHOP=1 $(SWIFT) build -c release --scratch-path .build/workshop --product bench-vast
	@.build/workshop/release/bench-vast $(or $(WEIR_SHARED),../shared)/data/vast

## What 10,000 idle playback sessions weigh, and how 2,000 with an input a second are answered; needs Debian's wrk.
bench-sessions: build
	@command -v wrk > /dev/null || { echo "Install Debian's wrk first: sudo apt-get install wrk"; exit 1; }
	@ulimit -n "$$(ulimit -Hn)"; Benchmarks/sessions.py $(ARGS)

## What a load costs by each carrier, side by side: in the tree, declared, in a process.
bench-adapters: setup
	@$(SWIFT) build -c release --product bidco-adapter
	@WEIR_WORKSHOP=1 $(SWIFT) build -c release --scratch-path .build/workshop --product bench-adapters
	@.build/workshop/release/bench-adapters .build/release/bidco-adapter "python3 Adapters/Examples/Python/bidco.py"

## What a declared network costs a call, beyond its socket.
bench-declared: setup
	@WEIR_WORKSHOP=1 $(SWIFT) build -c release --scratch-path .build/workshop --product bench-declared
	@.build/workshop/release/bench-declared

## What a GET through the HTTP client costs, on each of its two roads in turn; CLIENTS=64 asks with so many at once.
bench-client: setup bench-tools
	@WEIR_WORKSHOP=1 $(SWIFT) build -c release --scratch-path .build/workshop --product bench-client
	@Benchmarks/client.sh .build/workshop/release $(or $(CLIENTS),16)

## Half an hour of load with hostile networks and rude callers; fails when something grows or goes unanswered.
## TIME=120 is a short one, in seconds; RATE=500 sets the requests a second, which are measured otherwise.
soak: build
	@scripts/soak.py .build/release/weir --time $(or $(TIME),1800) $(if $(RATE),--rate $(RATE)) $(if $(REPORT),--report $(REPORT))

## Fuzzes what reads the words of strangers: TIME seconds each, TARGET=vast for one alone.
fuzz: setup
	@scripts/fuzz.sh $(or $(TIME),60) $(TARGET)

clean:
	@$(SWIFT) package clean
