# The commands people type; the work is done by CMake (CMakeLists.txt) and scripts/.
# `make help` lists them.
BUILD    := build
PREFIX   ?= /usr/local
# A folder given relative to here would end up relative to the build.
override PREFIX := $(abspath $(PREFIX))
JOBS     := $(shell nproc 2>/dev/null || echo 2)
COMMAND  := $(BUILD)/bin/freebody

# Ninja where there is one; a folder configured before keeps its generator.
ifeq ($(origin CMAKE_GENERATOR),undefined)
  ifneq ($(shell command -v ninja 2>/dev/null),)
    export CMAKE_GENERATOR := Ninja
  endif
endif
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

# What the build says is kept in a log, and shown when it fails.
QUIETLY = @sh scripts/quietly

.PHONY: all demo test lint check-all fuzz faults bench install clean describe man format help
.DEFAULT_GOAL := all

all:
	@scripts/setup build
	@scripts/viewer
	$(QUIETLY) $(BUILD)/configure.log cmake --preset release -DFB_TESTS=OFF
	$(QUIETLY) $(BUILD)/build.log cmake --build $(BUILD) --target product
	@echo "built $(COMMAND); try: $(COMMAND) --help"

demo: all
	@scripts/demo

test:
	@scripts/setup test
	@scripts/viewer needed
	$(QUIETLY) $(BUILD)/configure.log cmake --preset release -DFB_TESTS=ON
	$(QUIETLY) $(BUILD)/build.log cmake --build $(BUILD)
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

lint:
	@scripts/setup lint
	@scripts/lint

check-all:
	@scripts/setup check-all
	@scripts/viewer needed
	@scripts/check-all

# Readers fed with inputs made up on the way; READER=name takes one, SECONDS=n how long for each, SEED=n fixes chance.
fuzz: SECONDS ?= 60
fuzz:
	@scripts/setup fuzz
	@SECONDS_EACH="$(SECONDS)" SEED="$(SEED)" scripts/fuzz $(READER)

# Commands whose calls fail, one after the other; COMMAND=check KIND=alloc choose.
faults: FAULTED = $(if $(filter command line,$(origin COMMAND)),--command $(COMMAND))
faults:
	@scripts/setup test
	@scripts/viewer needed
	@scripts/faults $(FAULTED) $(if $(KIND),--kind $(KIND))

# Freebody and the peers that are here; PEER_PREFIX=DIR adds others, PEERS="mujoco rbdl" and MODELS="arm6 sat12" choose,
# AGAINST=FILE compares with an earlier build/bench.json.
bench:
	@scripts/setup bench
	@BUILD="$(BUILD)" PEER_PREFIX="$(PEER_PREFIX)" PEERS="$(PEERS)" AGAINST="$(AGAINST)" scripts/bench $(MODELS)

install: all
	$(QUIETLY) $(BUILD)/install.log cmake --install $(BUILD) --prefix $(PREFIX)
	@echo "installed under $(DESTDIR)$(PREFIX)"

format:
	@scripts/format

# bindings/api.json, and the modules of the Python package that are generated from it, from the public headers.
describe:
	@scripts/describe --write

# docs/freebody.1 from docs/command.md.
man:
	@scripts/man --write

# The release build, and the folders of the presets and of lint and check-all.
clean:
	@rm -rf $(BUILD) build-dev build-gcc build-clang build-shared build-asan build-tsan build-reproducible \
	  build-lint build-check build-fuzz viewer/dist viewer/node_modules

help:
	@echo "make            build the libraries and the command, $(COMMAND)"
	@echo "make demo       see what it does"
	@echo "make test       build and run all tests"
	@echo "make lint       format, include direction, file length, the viewer's types, clang-tidy"
	@echo "make check-all  both compilers, sanitizers, valgrind, reproducibility (long)"
	@echo "make fuzz       feed every reader with made-up inputs, SECONDS=60 for each; READER=name for one"
	@echo "make faults     make every allocation, read and write of the commands fail, one by one"
	@echo "make bench      time dynamics and kinematics beside MuJoCo, DART and Simbody"
	@echo "make install    install under PREFIX=$(PREFIX); DESTDIR is respected"
	@echo "make describe   write bindings/api.json and Python's structures from the public headers"
	@echo "make man        write the manual page, docs/freebody.1, from docs/command.md"
	@echo "make format     format the C sources in place"
	@echo "make clean      remove what was built"
