#!/bin/sh
# Builds data/sample anew: one helper/1 script of two tasks, its pictures, its cases, questions and gold.
# Usage: tools/make_sample.sh [PYTHON_WITH_BLENDER]    (make setup-render prepares one: .venv-render/bin/python)
set -eu
cd "$(dirname "$0")/.."
bpy_python="${1:-${STBENCH_BPY_PYTHON:-.venv-render/bin/python}}"
stbench="${STBENCH:-.venv/bin/stbench}"
$stbench build --job helper/1 --scripts 1 --seed 6 --tasks 2 --frames 40 --render blender --bpy-python "$bpy_python" --out data/sample
$stbench compile data/sample --name sample --version 0.1.0 --seed 6
$stbench validate data/sample
