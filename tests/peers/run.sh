#!/bin/sh
# Compares the generated dynamics of every robot of example-robot-data with Pinocchio.
# The first run makes a virtual environment below target/; `run.sh --help` says the rest.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$here/../../target/peers
venv=$work/venv
mkdir -p "$work"

if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi

export PYTHONPYCACHEPREFIX="$work/pycache"
exec "$venv/bin/python" "$here" "$@"
