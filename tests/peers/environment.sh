# Sourced with $peers set to this folder: makes the virtual environment below target/, anew when what
# is required has changed, and sets $python.

work=$peers/../../target/peers
venv=$work/venv
python=$venv/bin/python
mkdir -p "$work"

if ! cmp -s "$peers/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv --clear "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check -r "$peers/requirements.txt"
    cp "$peers/requirements.txt" "$venv/requirements.txt"
fi

export PYTHONPYCACHEPREFIX="$work/pycache"
