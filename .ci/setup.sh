#!/usr/bin/env bash
# Sets the checkout up: system packages, virtual environment, SWI-Prolog, janus, the package.
#
#     .ci/setup.sh core      what `rtec run` and the developer's tools need
#     .ci/setup.sh extras    Spark, ProbLog and MQTT; a part that fails is said, not fatal
#
# Each leaves a stamp in .venv with a hash of what it depended on, and does nothing while
# that hash is the same.
set -euo pipefail
cd "$(dirname "$0")/.."

part=${1:?usage: setup.sh core|extras}
oldest_python=3.11
newest_python=3.13      # the last one that the pinned pyarrow has wheels for
oldest_swipl=90112
private_swipl=$PWD/.swipl/bin/swipl

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# Two of these at once would unpack over each other; the second waits, then finds it done.
if command -v flock >/dev/null; then exec 9<.ci && flock 9; fi

# The folder is in the hash because virtual environments and library paths do not move.
hash=$({ pwd -P; cat pyproject.toml .ci/setup.sh .ci/swipl.sh; } | cksum | tr ' ' -)

# is_done PART: nothing it depends on has changed since it was set up.
is_done() { [ -z "${FORCE:-}" ] && [ "$(cat ".venv/.set-up-$1" 2>/dev/null)" = "$hash" ]; }

# --- system packages ---------------------------------------------------------------------

# install_packages PACKAGE...: by apt, where we may.
install_packages() {
    command -v apt-get >/dev/null || return 1
    local as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || return 1
        if [ -t 0 ]; then as_root=sudo; else as_root="sudo -n"; fi
        $as_root true 2>/dev/null || return 1
    fi
    say "installing $* (apt)"
    local install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y
        --no-install-recommends install"
    $install "$@" >/dev/null 2>&1 ||
        { $as_root apt-get -qq update >&2 && $install "$@" >/dev/null; }
}

# --- Python ------------------------------------------------------------------------------

python_fits() {
    "$1" - "$oldest_python" "$newest_python" 2>/dev/null <<'PYTHON'
import sys
oldest, newest = (tuple(map(int, text.split("."))) for text in sys.argv[1:])
sys.exit(not oldest <= sys.version_info[:2] <= newest)
PYTHON
}

find_python() {
    local name
    for name in ${PYTHON:-} python3 python3.11 python3.12 python3.13; do
        if python_fits "$name"; then command -v "$name"; return; fi
    done
    die "no Python $oldest_python to $newest_python found; install one, or name it: make PYTHON=..."
}

make_environment() {
    if [ -x .venv/bin/python ] && .venv/bin/python -m pip --version >/dev/null 2>&1 &&
        [ "$(cat .venv/.folder 2>/dev/null)" = "$(pwd -P)" ]; then return; fi
    local python
    python=$(find_python)
    "$python" -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv ||
        die "this Python cannot make virtual environments; install python3-venv"
    say "making .venv with $("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv
    pwd -P >.venv/.folder
}

pip() { .venv/bin/python -m pip --disable-pip-version-check "$@"; }

# --- SWI-Prolog and janus ----------------------------------------------------------------

swipl_fits() {
    local version
    version=$("$1" -g 'current_prolog_flag(version,V),write(V)' -t halt 2>/dev/null) || return 1
    [ "$version" -ge "$oldest_swipl" ]
}

find_swipl() {
    local candidate
    for candidate in ${SWIPL:-} swipl; do
        if swipl_fits "$candidate"; then command -v "$candidate"; return; fi
    done
    if [ "$(cat .swipl/.made-by 2>/dev/null)" != "$(cksum <.ci/swipl.sh)" ] ||
        ! swipl_fits "$private_swipl"; then
        rm -rf .swipl
        .ci/swipl.sh .swipl >&2
    fi
    printf '%s\n' "$private_swipl"
}

# janus is compiled, so it belongs to one SWI-Prolog; the note says which.
install_janus() {
    local swipl=$1 note=.venv/.janus-built-for identity include
    identity="$("$swipl" --version) in $("$swipl" --dump-runtime-variables | grep PLBASE=)"
    if [ "$(cat $note 2>/dev/null)" = "$identity" ]; then return; fi
    command -v cc >/dev/null || install_packages gcc libc6-dev ||
        die "janus-swi is compiled on installation and there is no C compiler; install gcc"
    include=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("include"))')
    [ -e "$include/Python.h" ] || install_packages python3-dev || true
    [ -e "$include/Python.h" ] ||
        die "janus-swi is compiled on installation and Python.h is missing; install python3-dev"
    say "building janus-swi for $("$swipl" --version)"
    # Installed fresh and without the wheel cache: a cached one may be for another SWI-Prolog.
    SWIPL="$swipl" pip install -qq --force-reinstall --no-deps --no-cache-dir \
        "$(requirement janus-swi)"
    printf '%s\n' "$identity" >$note
}

# requirement NAME: as pyproject.toml states it.
requirement() {
    .venv/bin/python - "$1" <<'PYTHON'
import sys, tomllib
with open("pyproject.toml", "rb") as file:
    stated = tomllib.load(file)["project"]["dependencies"]
print(next(line for line in stated if line.startswith(sys.argv[1])))
PYTHON
}

# --- the two parts -----------------------------------------------------------------------

set_up_core() {
    make_environment
    local swipl
    swipl=$(find_swipl)
    # rtec/environment.py reads this: janus belongs to the program it was compiled for.
    printf '%s\n' "$swipl" >.venv/.swipl
    install_janus "$swipl"
    say "installing rtec and its tools"
    pip install -qq -e '.[dev]'
    command -v dot >/dev/null || install_packages graphviz ||
        say "note: \`rtec graph\` writes svg and png with graphviz, which is not installed"
}

java_fits() {
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | grep -Eq 'version "(17|21)[."]'
}

set_up_extras() {
    local extra
    say "installing Spark, ProbLog and MQTT"
    pip install -qq -e '.[dev,spark,prob,mqtt]' || for extra in spark prob mqtt; do
        pip install -qq -e ".[dev,$extra]" ||
            say "note: rtec[$extra] could not be installed; try again with: make extras FORCE=1"
    done
    java_fits || install_packages openjdk-17-jre-headless ||
        say "note: Spark needs Java 17 or 21, and none was found"
    command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || install_packages mosquitto ||
        say "note: tests over MQTT need the broker mosquitto, and none was found"
}

# set_up PART
set_up() {
    if is_done "$1"; then return; fi
    "set_up_$1"
    printf '%s' "$hash" >".venv/.set-up-$1"
}

case $part in
    core) set_up core ;;
    extras) set_up core; set_up extras ;;
    *) die "unknown part: $part" ;;
esac
