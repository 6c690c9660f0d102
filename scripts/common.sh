# shellcheck shell=bash
# What the scripts share; sourced, never run. Every script works from the root of the checkout.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root" || exit

# ccache finds what another checkout compiled only if paths are taken relative to the root.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
# Nothing outside the checkout is written, unless the user keeps a ccache already.
if [[ -z ${CCACHE_DIR:-} && ! -d ${XDG_CACHE_HOME:-${HOME:-}/.cache}/ccache ]]; then
  export CCACHE_DIR="$root/build/ccache"
fi
export DRIFTLESS_CACHE="${DRIFTLESS_CACHE:-$root/build/cache}"
CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
CTEST_PARALLEL_LEVEL="${CTEST_PARALLEL_LEVEL:-$(nproc)}"
export CMAKE_BUILD_PARALLEL_LEVEL CTEST_PARALLEL_LEVEL

heading() { printf '\n== %s\n' "$*" >&2; }

fail_usage() {
  printf '%s\n' "$*" >&2
  exit 2
}

# The comment at the top of the script, which is its help.
print_help() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"; }

has_tests() { grep -qs '^DRIFTLESS_TESTS:BOOL=ON' "build/$1/CMakeCache.txt"; }

# configure PRESET [on]: a new build folder gets the tests only when asked, an old one keeps what it has. The library's
# commands are the same either way, so switching the tests on later compiles only them.
configure() {
  local preset=$1 tests=OFF launcher=()
  if [[ ${2:-} == on ]] || has_tests "$preset"; then tests=ON; fi
  if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
  heading "Configuring $preset (tests $tests)"
  cmake --preset "$preset" "-DDRIFTLESS_TESTS=$tests" "${launcher[@]}"
}

# The packages a build of PRESET needs.
install_for() {
  local groups=(core)
  if has_tests "$1"; then groups+=(test); fi
  if [[ $1 == torch ]]; then groups+=(torch); fi
  scripts/install-packages "${groups[@]}"
}
