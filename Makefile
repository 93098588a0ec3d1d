# `make help` lists the targets. CMake builds.

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
PREFIX ?= /usr/local
MODEL ?= examples/models/digits.pt
ifeq ($(MODEL),examples/models/digits.pt)
INPUT ?= image=f32[batch,1,28,28]
endif

.DEFAULT_GOAL := help
.PHONY: help demo test build install package package-test python parity bench quantized torch2 fuzz asan format lint clean setup

help: ## print this list
	@echo "usage: make TARGET"
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo: ## export an example model and run it in ONNX Runtime (MODEL=FILE INPUT=SPEC for another)
	@scripts/setup demo
	@$(MAKE) --no-print-directory configured-release
	cmake --build --preset release -j $(JOBS) --target cameo_cli example_run
	build/release/cameo inspect $(MODEL)
	build/release/cameo export $(MODEL) $(if $(INPUT),--input '$(INPUT)') -o build/demo.onnx
	build/release/examples/example_run build/demo.onnx

test: ## build Cameo and run every test
	@scripts/setup test
	@$(MAKE) --no-print-directory release
	scripts/in_scratch ctest --preset release -j $(JOBS)

build: ## build the command, build/release/cameo, and the bridge for cameo verify where libtorch is installed
	@scripts/setup build
	@$(MAKE) --no-print-directory configured-release
	cmake --build --preset release -j $(JOBS) --target cameo_build
	@test -e build/release/libcameo_torch.so || \
	  echo "cameo verify is not built: install libtorch (Debian: apt install libtorch-dev), and run make build again"

install: build ## install the command, the library and the headers (PREFIX=/usr/local DESTDIR=)
	cmake --build --preset release -j $(JOBS) --target cameo_shared
	DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)

package: ## make the tarball, the Debian packages, the wheel and the npm package in build/packages
	@scripts/setup python
	@$(MAKE) --no-print-directory configured-release
	scripts/package

package-test: package ## test the packages in Debian 11, 12 and 13 (needs root)
	scripts/package_test

python: ## build the Python package; PYTHONPATH=build/release/python finds it
	@scripts/setup python
	@$(MAKE) --no-print-directory configured-release
	cmake --build --preset release -j $(JOBS) --target cameo_python

parity: ## compare the exporter with PyTorch's database of operators (OP=NAME for one, EXPORTER=torch for torch.onnx)
	@scripts/setup test
	@$(MAKE) --no-print-directory release
	PYTHONPATH=build/release/python /usr/bin/python3 -W ignore tests/parity/parity.py \
	  $(if $(OP),--op $(OP)) $(if $(EXPORTER),--exporter $(EXPORTER),--check)

bench: ## measure speed and memory against unzip, cp and PyTorch
	@scripts/setup test
	@$(MAKE) --no-print-directory release
	bench/run

quantized: ## compare torchvision's quantised networks in ONNX Runtime with PyTorch (takes 10 minutes)
	@scripts/setup test
	@$(MAKE) --no-print-directory configured-release
	cmake --build --preset release -j $(JOBS) --target cameo_cli
	/usr/bin/python3 -B tests/quantized/torchvision_models.py build/release/cameo

torch2: ## test with PyTorch 2.14: the Python package, all operators, torchvision and transformers (needs root, takes hours)
	@scripts/setup test
	@scripts/torch2 make sid
	@$(MAKE) --no-print-directory configured-release
	cmake --build --preset release -j $(JOBS) --target cameo_cli
	/usr/bin/python3 -B tests/torch2/package.py
	/usr/bin/python3 -B tests/torch2/structure.py build/release/cameo
	/usr/bin/python3 -B tests/torch2/live.py build/release/cameo operators --check
	/usr/bin/python3 -B tests/torch2/live.py build/release/cameo torchvision_models --check
	/usr/bin/python3 -B tests/torch2/live.py build/release/cameo transformers_models --check

fuzz: ## run each fuzzer for FUZZ_SECONDS (60)
	@scripts/setup all
	@$(MAKE) --no-print-directory configured-fuzz
	cmake --build --preset fuzz -j $(JOBS)
	fuzz/run build/fuzz $(FUZZ_SECONDS)

asan: ## run every test under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup test
	@$(MAKE) --no-print-directory configured-asan
	cmake --build --preset asan -j $(JOBS)
	scripts/in_scratch ctest --preset asan -j $(JOBS)

format: ## format the C++ sources
	@scripts/setup all
	scripts/format

lint: ## check formatting, the direction of includes, prose, separate compilation, clang-tidy and cppcheck
	@scripts/setup all
	@$(MAKE) --no-print-directory configured-release configured-separate
	scripts/lint

clean: ## remove the build folder; .cache keeps the files that setup fetched
	rm -rf build

setup: ## install everything that any target needs
	@scripts/setup all

.PHONY: release
release: configured-release
	cmake --build --preset release -j $(JOBS)

configured-%:
	@test -e build/$*/build.ninja || cmake --preset $*
