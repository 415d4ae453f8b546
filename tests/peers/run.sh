#!/bin/sh
# Compares the generated dynamics of every robot of example-robot-data with Pinocchio.
# The first run makes a virtual environment below target/; `run.sh --help` says the rest.
set -eu

peers=$(cd "$(dirname "$0")" && pwd)
. "$peers/environment.sh"
exec "$python" "$peers" "$@"
