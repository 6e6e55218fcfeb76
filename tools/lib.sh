# lib.sh - what the tools share: where the project lies, usage, phases and the
# build of a preset. Each tool sources it after `set -eu`.

tool=$(readlink -f "$0")
project=$(dirname "$(dirname "$tool")")

# usage: prints the comment at the head of the tool.
usage() {
    sed -n '2,$ { /^#/!q; s/^# \{0,1\}//p; }' "$tool"
}

# refuse WORDS...: ends a call with wrong arguments.
refuse() {
    printf 'tools/%s: %s\n\n' "${tool##*/}" "$*" >&2
    usage >&2
    exit 2
}

milliseconds() {
    echo $(($(date +%s%N) / 1000000))
}

# seconds_since START: prints the time since that result of milliseconds.
seconds_since() {
    spent=$(($(milliseconds) - $1))
    printf '%d.%d s' $((spent / 1000)) $((spent % 1000 / 100))
}

# phase NAME COMMAND...: runs the command and says in one line how long it took.
# What the command prints is shown only when it fails. Lines go to stderr: the
# output of a tool is that of the program it ends with.
phase() {
    name=$1
    shift
    printf '%s ... ' "$name" >&2
    start=$(milliseconds)
    status=0
    output=$("$@" 2>&1 </dev/null) || status=$?
    if [ "$status" -eq 0 ]; then
        printf '%s\n' "$(seconds_since "$start")" >&2
    else
        printf 'failed after %s\n' "$(seconds_since "$start")" >&2
        printf '%s\n' "$output" >&2
    fi
    return "$status"
}

# is_configured PRESET: whether its build files are complete and were made here,
# not in the place that the project was copied from, and of presets as they are.
is_configured() {
    [ -e "$project/build/$1/build.ninja" ] &&
        [ -z "$(find "$project/CMakePresets.json" -newer \
            "$project/build/$1/build.ninja")" ] &&
        grep -qsFx "CMAKE_HOME_DIRECTORY:INTERNAL=$project" \
            "$project/build/$1/CMakeCache.txt"
}

# build PRESET [--target NAME]: configures the preset the first time and builds
# what is stale.
# A subshell: the tool stays where it was called.
build() (
    cd "$project" || exit
    if ! is_configured "$1"; then
        phase "configure $1" cmake --fresh --preset "$1" || exit
    fi
    phase "build $1" cmake --build --preset "$@"
)
