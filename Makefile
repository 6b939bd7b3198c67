# The commands of README.md. Each one installs what is missing, builds, and runs.
.DEFAULT_GOAL := release
SHELL := /bin/bash

FILE    ?= examples/lost_update.c
FLAGS   ?=
SECONDS ?= 600
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc)

HEDDLE := build/release/heddle

# $(call build,<preset>,<target>): configure once (afterwards Ninja reconfigures by itself), then build.
build = @test -f build/$(1)/build.ninja || cmake --preset $(1) --log-level=WARNING && \
        cmake --build build/$(1) -j $(JOBS) --target $(2)

.PHONY: release dev verify test fuzz bench bench-steps bench-families asan tsan install format tidy clean setup help

release: setup  ## build build/release/heddle (the default)
	$(call build,release,heddle)

dev: setup  ## build build/dev/heddle, for the debugger
	$(call build,dev,heddle)

# Safe, unsafe and unknown (0, 1, 2) are answers; bad input and our own errors (3, 4) are not.
verify: release  ## verify one program: make verify FILE=examples/lost_update.c [FLAGS=--check=race]
	@$(HEDDLE) check $(FLAGS) $(FILE); code=$$?; \
	if [ $$code -gt 2 ]; then exit $$code; fi

test: setup  ## build everything and run every test
	$(call build,release,all)
	@ctest --test-dir build/release --output-on-failure -j $(JOBS)

fuzz: setup  ## compare the engines with the oracle on random programs: make fuzz [SECONDS=600]
	$(call build,release,heddle_fuzz)
	build/release/tests/generate/heddle_fuzz --seconds $(SECONDS)

bench: setup  ## measure how bmc scales, with both encodings; results in build/release/bench
	$(call build,release,bench_bmc)
	build/release/bench/bench_bmc --out build/release/bench $(FLAGS)

bench-steps: setup  ## what each optimisation of explore is worth, over the public tasks; takes an hour or two
	$(call build,release,heddle bench_steps)
	build/release/bench/bench_steps --out build/release/bench $(FLAGS)

bench-families: setup  ## count the executions of the stateless search on the classic families
	$(call build,release,bench_families)
	build/release/bench/bench_families $(FLAGS)

asan: setup  ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	$(call build,asan-ubsan,all)
	@ctest --test-dir build/asan-ubsan --output-on-failure -j $(JOBS)

tsan: setup  ## run the tests under ThreadSanitizer
	$(call build,tsan,all)
	@ctest --test-dir build/tsan --output-on-failure -j $(JOBS)

install: release  ## install heddle and its man page: make install [PREFIX=/usr/local] [DESTDIR=]
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

format:  ## format all C++ files in place
	@tools/setup format
	git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format -i

tidy:  ## run clang-tidy over all rooms
	@tools/setup build tidy
	$(call build,dev,heddle)
	git ls-files -z 'src/*.cpp' | xargs -0 -n 1 -P $(JOBS) clang-tidy-19 --quiet -p build/dev

setup:  ## install the Debian packages that are missing
	@tools/setup

clean:  ## remove build/
	rm -rf build

help:  ## print this list
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):[^#]*## */  \1\t/' | expand -t 12
