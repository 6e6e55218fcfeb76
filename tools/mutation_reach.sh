# mutation_reach.sh - which scenarios reach which functions, so that the suite is
# asked about a mutant with those files alone: the others never come to it. It is
# sourced by tools/soak_mutation; $tree is the copy of the sources, $here all else.
# shellcheck disable=SC2154 # they are given

# build_watched: the program that notes which of its functions run. Those of
# inline functions in headers, too, which nobody plants anything in.
build_watched() {
    watched=$here/watched
    gcc -O1 -iquote "$tree" -c "$tree/tests/mutation/reach/note.c" \
        -o "$here/note.o" &&
        configure "$watched" "-finstrument-functions \
-finstrument-functions-exclude-file-list=tree/scenarios/,tree/tests/" \
            "\"$here/note.o\"" &&
        cmake --build "$watched" --target ntpmu &&
        nm "$watched/ntpmu" >"$here/names"
}

# The files whose scenarios the unchanged program has run.
suite_files() {
    sed -n 's/.*"event":"result".*"path":"\([^"]*\)".*/\1/p' \
        "$here/unchanged/report" | LC_ALL=C sort -u
}

# reach_of FILE NOTED: a line for each function that its scenarios reach.
reach_of() {
    rm -f "$2"
    if ! NTPMU_REACH=$2 "$watched/ntpmu" run "$1" \
        --allow-driver "$drivers/scenarios/drivers" >"$2.output" 2>&1; then
        cat "$2.output"
        echo "$1 fails where its functions are watched"
        return 1
    fi >&2
    "$mutate" reached "$here/names" "$2" "$1"
}

# reach_part NTH: of every file whose turn is that one's.
reach_part() (
    cd "$tree" || exit
    awk -v nth="$1" -v parts="$jobs" 'NR % parts == nth' "$here/files" |
        while read -r file; do
            reach_of "$file" "$here/noted_$1" || exit
        done >"$here/reach_$1" && : >"$here/reached_$1"
)

# find_reach: $here/reach, a line a function and file.
find_reach() {
    build_watched || return
    suite_files >"$here/files"
    rm -f "$here"/reached_* "$here"/reach_*
    part=0
    while [ "$part" -lt "$jobs" ]; do
        reach_part "$part" &
        part=$((part + 1))
    done
    wait
    part=0
    while [ "$part" -lt "$jobs" ]; do
        [ -e "$here/reached_$part" ] || return
        part=$((part + 1))
    done
    LC_ALL=C sort -u "$here"/reach_* >"$here/reach_now" &&
        [ -s "$here/reach_now" ] && mv "$here/reach_now" "$here/reach"
}

# files_reaching FUNCTION: the files of the suite that may notice a mutant in it;
# of what is in no function, -, all.
files_reaching() {
    if [ "$1" = - ]; then
        echo scenarios
    else
        awk -v name="$1" '$1 == name { print $2 }' "$here/reach"
    fi
}
