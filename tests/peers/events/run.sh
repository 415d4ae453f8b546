#!/bin/sh
# Compares event times with those of Siconos; `run.sh --help` says the rest.
set -eu

events=$(cd "$(dirname "$0")" && pwd)
peers=$events/..
. "$peers/environment.sh"
PYTHONPATH="$peers" exec "$python" "$events" "$@"
