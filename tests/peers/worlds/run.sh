#!/bin/sh
# Times worlds of robots and bodies against MuJoCo; `run.sh --help` says the rest.
set -eu

worlds=$(cd "$(dirname "$0")" && pwd)
peers=$worlds/..
. "$peers/environment.sh"
PYTHONPATH="$peers:$peers/speed:$peers/contact" exec "$python" "$worlds" "$@"
