#!/usr/bin/env bash
# Unpacks a private SWI-Prolog into PREFIX, for machines whose own is older than janus needs.
#
#     .ci/swipl.sh PREFIX
#
# The packages come from the mirror that apt uses already, out of a Debian release that has
# a recent one; apt works in a state of its own, so nothing of the system changes and no
# special rights are needed. PREFIX/bin/swipl then runs it; PREFIX/.made-by is a sum of this
# script, so that a prefix made by an older one can be told.
set -euo pipefail

release=trixie
from_release="swi-prolog-core swi-prolog-core-packages libossp-uuid16"
# Of the release above this one would need a newer C library than the machine may have.
from_machine="libtcmalloc-minimal4"

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

[ $# -eq 1 ] || die "usage: $0 PREFIX"
by_hand="install SWI-Prolog 9.1.12 or later yourself (swi-prolog.org/Download.html) and run make again"
command -v apt-get >/dev/null && command -v dpkg >/dev/null ||
    die "no recent swipl on PATH and no apt here to fetch one; $by_hand"

mkdir -p "$1"
prefix=$(cd "$1" && pwd)
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state"/{lists/partial,cache/archives/partial,sources.d,packages}

# apt, in its private state; it drops to a user that may not write here unless told not to.
private_apt() {
    apt-get -qq -o APT::Sandbox::User="$(id -un)" -o Dir::State::lists="$state/lists" \
        -o Dir::Cache="$state/cache" -o Dir::Etc::sourcelist=/dev/null \
        -o Dir::Etc::sourceparts="$state/sources.d" "$@"
}

# The machine's own sources, then the same mirror and key with the other release.
eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
if [ -s "${list:-}" ]; then cp "$list" "$state/sources.d/machine.list"; fi
find "${parts:-/nonexistent}" -maxdepth 1 \( -name '*.list' -o -name '*.sources' \) \
    -exec cp {} "$state/sources.d/" \; 2>/dev/null || true
private_apt update >&2 || say "note: some of apt's sources could not be read"
fields='$(ORIGIN)|$(COMPONENT)|$(REPO_URI)|$(RELEASE)|$(SOURCESENTRY)'
target=$(private_apt indextargets --format "$fields" 'Created-By: Packages' |
    grep '^Debian|main|' | grep -v -e '-security|' -e '-updates|' -e '-backports|' | head -n 1 || true)
[ -n "$target" ] || die "apt here has no Debian mirror to fetch SWI-Prolog from; $by_hand"
IFS='|' read -r _ _ uri _ entry <<<"$target"
# The key that signs the machine's sources also signs the other release, if it is recent.
key=$(sed -n -e 's/^[Ss]igned-[Bb]y: *\(\/[^ ]*\).*/\1/p' \
    -e 's/^deb .*signed-by=\([^] ]*\).*/\1/p' "${entry%:*}" 2>/dev/null | head -n 1)
printf 'deb %s %s %s main\n' "${key:+[signed-by=$key]}" "$uri" "$release" \
    >"$state/sources.d/swi-prolog.list"
private_apt update >&2 || die "apt cannot read release $release of its mirror; $by_hand"

say "unpacking SWI-Prolog of Debian $release into ${prefix##*/}/"
wanted=$from_machine
for package in $from_release; do wanted="$wanted $package/$release"; done
(cd "$state/packages" && private_apt download $wanted >&2) || die "download failed; $by_hand"
for package in "$state"/packages/*.deb; do dpkg -x "$package" "$prefix"; done

# The machine's architecture is a part of these paths.
home=usr/lib/swi-prolog
libraries=$(cd "$prefix" && ls -d usr/lib/*-linux-gnu*)
program=$(cd "$prefix" && ls $home/bin/*/swipl)
# Where janus looks for the library when it is built and loaded, whatever its folder is called.
architecture=$(basename "$(dirname "$program")")
(cd "$prefix/$home/lib/$architecture" &&
    ln -sf ../../../"$(basename "$libraries")"/libswipl.so* .)
mkdir -p "$prefix/bin"
cat >"$prefix/bin/swipl" <<WRAPPER
#!/bin/sh
# SWI-Prolog of this prefix, with its own libraries.
prefix=\$(cd "\$(dirname "\$(readlink -f "\$0")")/.." && pwd)
SWI_HOME_DIR="\$prefix/$home" \\
LD_LIBRARY_PATH="\$prefix/$libraries\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" \\
    exec "\$prefix/$program" "\$@"
WRAPPER
chmod +x "$prefix/bin/swipl"

# Debian makes this index after installing; without it nothing autoloads.
"$prefix/bin/swipl" -q -g 'make_library_index(swi(library))' -t halt ||
    die "the unpacked SWI-Prolog does not start; $by_hand"
cksum <"$0" >"$prefix/.made-by"
