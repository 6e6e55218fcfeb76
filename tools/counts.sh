# counts.sh - how tools/test and tools/coverage collect what gcov counts in the
# preset dev, and hold it to the floors of cmake/floors.txt. It is sourced, after
# lib.sh.
# shellcheck disable=SC2154 # the project is given

counted=$project/build/dev
reached=$project/build/coverage
counts=$reached/counts.info

# reset_counts: from here on the programs of the preset count (tests/gcov).
reset_counts() {
    mkdir -p "$reached"
    rm -f "$reached/floors"
    find "$counted" -name '*.gcda' -delete
    while read -r program; do
        if [ -e "$program" ]; then
            : >"$program.counts"
        fi
    done <"$counted/programs"
}

# add_up: what the programs have counted, in gcov's files. Not all are built by
# default, and none counts any more.
add_up() {
    while read -r program; do
        [ -e "$program.counts" ] || continue
        NTPMU_WRITE_COUNTS=1 "$program" && rm "$program.counts" || return
    done <"$counted/programs"
}

capture() {
    geninfo --rc lcov_branch_coverage=1 \
        --rc 'lcov_excl_br_line=LCOV_EXCL_BR_LINE|assert\(' \
        --base-directory "$project" --no-external "$@"
}

# collect_counts: what no program contains begins at zero.
collect_counts() {
    add_up && capture --output-filename "$counts.run" "$counted" || return
    find "$counted" -name '*.gcno' | while read -r notes; do
        [ -e "${notes%.gcno}.gcda" ] || printf '%s\n' "$notes"
    done >"$reached/uncounted"
    : >"$counts.zero"
    set --
    while read -r notes; do
        set -- "$@" "$notes"
    done <"$reached/uncounted"
    [ $# -eq 0 ] ||
        capture --initial --output-filename "$counts.zero" "$@" || return
    cat "$counts.run" "$counts.zero" >"$counts"
}

# check_floors: prints what each room reaches, and fails where that is no floor.
check_floors() {
    status=0
    "$project/tests/gcov/floors" "$project" "$counts" >"$reached/floors" || status=$?
    cat "$reached/floors"
    return "$status"
}

# show_floors: what check_floors complained of, without the rooms' figures.
show_floors() {
    if [ -e "$reached/floors" ]; then
        grep -v ' lines .* branches ' "$reached/floors"
    else
        printf 'what gcov counted could not be collected\n'
    fi
}
