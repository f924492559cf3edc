# Sourced by the scripts beside it: makes the project's own Python environment and keeps it up to date.
#
#   prepare_environment EXTRAS    EXTRAS: "" for what the program needs, "dev" for the tests as well
#
# It lies in .venv at the project's root, or where SANDBOX_VENV says, and is installed again only when
# pyproject.toml has changed. Sets PYTHON to its interpreter.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=${SANDBOX_VENV:-$root/.venv}

say() { printf '%s\n' "$*" >&2; }

is_wanted_python() {
  "$@" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

find_python() {
  local candidate
  for candidate in python3.11 python3.12 python3.13 python3 python; do
    if command -v "$candidate" >/dev/null 2>&1 && is_wanted_python "$candidate"; then
      command -v "$candidate"
      return 0
    fi
  done
  return 1
}

python_in() {
  if [ -x "$1/Scripts/python.exe" ]; then echo "$1/Scripts/python.exe"; else echo "$1/bin/python"; fi
}

make_venv() {
  local python
  if python=$(find_python) && "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
    "$python" -m venv "$venv"
  elif command -v uv >/dev/null 2>&1; then
    uv venv --quiet --seed --python 3.11 "$venv"
  elif python=$(find_python); then
    say "Python is here ($python), but cannot make environments: its venv module is missing."
    say "Install it (Debian, Ubuntu: apt install python3-venv), or install uv, and run this again."
    return 2
  else
    say "Python 3.11, 3.12 or 3.13 is wanted and was not found."
    say "Install Python 3.11 (Debian 12: apt install python3.11 python3.11-venv; macOS: brew install python@3.11;"
    say "Windows: the installer of python.org), or install uv, which brings its own, and run this again."
    return 2
  fi
}

fingerprint() {
  # What an installation depends on: the project's declaration and where it lies.
  "$PYTHON" - "$root" <<'PY'
import hashlib, pathlib, sys
root = pathlib.Path(sys.argv[1])
print(hashlib.sha256((root / "pyproject.toml").read_bytes() + str(root).encode()).hexdigest())
PY
}

prepare_environment() {
  local extras=$1 stamp target
  PYTHON=$(python_in "$venv")
  if [ -e "$PYTHON" ] && ! is_wanted_python "$PYTHON"; then
    say "The environment at $venv is not one of Python 3.11 to 3.13; remove it, or name another in SANDBOX_VENV."
    return 2
  fi
  if [ ! -e "$PYTHON" ]; then
    say "Making a Python environment in $venv ..."
    make_venv || return 2
    PYTHON=$(python_in "$venv")
  fi
  stamp=$(fingerprint)
  for installed in "$venv/.sandbox-dev" "$venv/.sandbox-${extras:-run}"; do
    if [ -e "$installed" ] && [ "$(cat "$installed")" = "$stamp" ]; then
      return 0
    fi
  done
  say "Installing what the project needs (only when pyproject.toml has changed) ..."
  target="$root${extras:+[$extras]}"
  if ! "$PYTHON" -m pip install --quiet --disable-pip-version-check --editable "$target" >&2; then
    say "The installation failed; the lines above say why (is the network reachable?)."
    return 2
  fi
  printf '%s\n' "$stamp" >"$venv/.sandbox-${extras:-run}"
}
