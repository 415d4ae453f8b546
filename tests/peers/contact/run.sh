#!/bin/sh
# Times steps with contact against MuJoCo and Drake; `run.sh --help` says the rest.
set -eu

contact=$(cd "$(dirname "$0")" && pwd)
peers=$contact/..
. "$peers/environment.sh"
PYTHONPATH="$peers:$peers/speed" exec "$python" "$contact" "$@"
