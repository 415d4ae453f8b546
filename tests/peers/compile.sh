#!/bin/sh
# Times the compilation of generated robots; `compile.sh --help` says the rest.
set -eu

peers=$(cd "$(dirname "$0")" && pwd)
. "$peers/environment.sh"
PYTHONPATH="$peers/speed" exec "$python" "$peers/compile.py" "$@"
