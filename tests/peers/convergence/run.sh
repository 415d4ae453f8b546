#!/bin/sh
# Fits the order of convergence of every formulation; `run.sh --help` says the rest.
set -eu

convergence=$(cd "$(dirname "$0")" && pwd)
peers=$convergence/..
. "$peers/environment.sh"
PYTHONPATH="$peers:$peers/speed:$peers/contact" exec "$python" "$convergence" "$@"
