#!/bin/sh
# Times Lemke's method against Siconos'; `run.sh --help` says the rest.
set -eu

lemke=$(cd "$(dirname "$0")" && pwd)
peers=$lemke/..
. "$peers/environment.sh"
PYTHONPATH="$peers:$peers/speed" exec "$python" "$lemke" "$@"
