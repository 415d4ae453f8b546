#!/bin/sh
# Times generated kernels against Pinocchio and MuJoCo; `run.sh --help` says the rest.
set -eu

speed=$(cd "$(dirname "$0")" && pwd)
peers=$speed/..
. "$peers/environment.sh"
PYTHONPATH="$peers" exec "$python" "$speed" "$@"
