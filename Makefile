# The commands of the README. `make demo` and `make test` set up what they need.
SWIFT ?= swift
# STRICT=1, as the continuous integration sets it: warnings are errors, and so is an import that Package.swift hides.
FLAGS = $(if $(STRICT),-Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error)

.PHONY: demo test test-browser setup build lint sanitize clean

## Sets up, builds, starts the gateway and its sandbox networks, serves one ad of each format.
## ONCE=1 ends after printing; PORT=9000 moves the ports.
demo: build
	@.build/release/weir demo $(if $(PORT),--port $(PORT)) $(if $(ONCE),--once)

## Sets up, then runs every test; random sequences run alone, for they fill the machine; those that start whole gateways
## come last, one at a time.
test: setup
	@$(SWIFT) build --build-tests $(FLAGS)
	@$(SWIFT) test --skip-build $(FLAGS) --skip 'EndToEndTests|DocsTests|PropertyTests'
	@$(SWIFT) test --skip-build $(FLAGS) --filter PropertyTests
	@$(SWIFT) test --skip-build $(FLAGS) --no-parallel --filter 'EndToEndTests|DocsTests'

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

clean:
	@$(SWIFT) package clean
