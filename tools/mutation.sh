# mutation.sh - how tools/soak_mutation makes the program of one mutant, and asks
# the suite and the tests of the modules about it. It is sourced; $tree is the
# copy of the sources, $base where that is built, $here all else.
# shellcheck disable=SC2154 # they are given

# No mutant may make as much as the host has.
output_blocks=200000
memory_kib=12000000

# run_suite PROGRAM DIRECTORY SECONDS: its exit code.
run_suite() (
    ulimit -f "$output_blocks"
    ulimit -v "$memory_kib"
    ulimit -c 0
    cd "$tree" || exit
    timeout -k 1 "$3" "$1" run scenarios --allow-driver "$drivers" \
        --timeout 2 --report "jsonl=$2/report" >"$2/output" 2>"$2/errors" \
        </dev/null || exit $?
)

# dependent_on FILE: the objects that ninja would make again. Each is of one
# layer, CMakeFiles/LAYER.dir/; those of tests are left as they are. A compiler
# cache may have made the path a relative one.
dependent_on() {
    ninja -C "$base" -t deps | awk -v file="/$1" '
        /^[^ ].*: #deps/ { sub(/:$/, "", $1); object = $1 }
        object !~ /^CMakeFiles\// { next }
        substr($0, length($0) - length(file) + 1) == file { print object }
        ' | sort -u
}

# preprocess OBJECT ROOT: what the compiler sees, with the files below that
# directory instead of the tree's.
preprocess() (
    command=$(ninja -C "$base" -t commands -s "$1")
    cd "$base" || exit
    eval "${command%% -MD *}" '-iquote "$2" -E -P' "${command##* -c }"
)

# find_table_objects: which objects have numbers of a table of sim in them, a
# line a table and object. Most only take the names of its rows.
find_table_objects() {
    rm -rf "$here/probe"
    (cd "$tree" && find sim -name '*.def') >"$here/tables"
    while read -r table; do
        mkdir -p "$(dirname "$here/probe/$table")"
        sed 's/\(^\|[^A-Za-z0-9_"]\)[0-9][0-9A-Fa-fxX]*/\10x7F/g; s/ [|&] / ^ /g' \
            "$tree/$table" >"$here/probe/$table"
        dependent_on "$table"
    done <"$here/tables" | sort -u >"$here/candidates"
    while read -r object; do
        if [ "$(preprocess "$object" "$here/probe" | cksum)" != \
            "$(preprocess "$object" "$tree" | cksum)" ]; then
            echo "$object"
        fi
    done <"$here/candidates" >"$here/with_numbers"
    while read -r table; do
        dependent_on "$table" | grep -Fx -f "$here/with_numbers" |
            sed "s|^|$table |"
    done <"$here/tables" >"$here/table_objects"
}

# objects_of FILE: what has to be compiled again, as ninja calls it.
objects_of() {
    case $1 in
    api/ctrpp/*.c) printf 'CMakeFiles/ctrpp.dir/%s.o\n' "$1" ;;
    *.c) printf 'CMakeFiles/%s.dir/%s.o\n' "${1%%/*}" "$1" ;;
    sim/*)
        # Where nobody has looked, all that see the table.
        if [ -e "$here/table_objects" ]; then
            sed -n "s|^$1 ||p" "$here/table_objects"
        else
            dependent_on "$1"
        fi
        ;;
    *) dependent_on "$1" ;;
    esac
}

# compile DIRECTORY OBJECT INTO: by the same command as in the base, but with
# the files below the directory instead of those of the tree.
compile() {
    command=$(ninja -C "$base" -t commands -s "$2")
    source=$(eval "printf '%s' ${command##* -c }") # it may stand in quotes
    below=${source#"$tree"/}
    [ ! -e "$1/$below" ] || source=$1/$below
    mkdir -p "$(dirname "$1/$3/$2")"
    (cd "$base" && eval "${command%% -MD *}" '-iquote "$1"' \
        '"-fmacro-prefix-map=$1=$tree"' '-w -c "$source" -o "$1/$3/$2"') \
        >"$1/compiler" 2>&1
}

# The object of the unchanged file, made once in the same way.
original() {
    if [ ! -e "$here/original/objects/$1" ]; then
        compile "$here/original" "$1" objects || return
    fi
    printf '%s\n' "$here/original/objects/$1"
}

# compile_mutant DIRECTORY OBJECT...: those that are not made yet. Prints
# stillborn if one is not, same_code if all are what they were.
compile_mutant() {
    into=$1 same=same_code
    shift
    for object in "$@"; do
        if [ ! -e "$into/objects/$object" ] &&
            ! compile "$into" "$object" objects; then
            echo stillborn
            return
        fi
        cmp -s "$into/objects/$object" "$here/original/objects/$object" ||
            same=
    done
    printf '%s' "$same"
}

# link_mutant DIRECTORY PROGRAM COMMAND OBJECT...: the base's command, with these
# objects before the libraries. A library's object is not looked at when another
# one has all that it defines.
link_mutant() {
    into=$1 program=$2 command=$3
    shift 3
    # shellcheck disable=SC2016 # it is evaluated below
    linked=$(printf '"$into/objects/%s" ' "$@")
    command=$(printf '%s\n' "$command" |
        sed "s| -o [^ ]*$program | $linked -o \"\$into/$program\" |")
    (cd "$base" && eval "$command") >"$into/compiler" 2>&1
}

# make_mutant DIRECTORY FILE: the program. Prints why there is none.
make_mutant() {
    objects=$(objects_of "$2")
    if [ -z "$objects" ]; then
        echo same_code
        return
    fi
    # shellcheck disable=SC2086 # their names have no blanks
    end=$(compile_mutant "$1" $objects)
    if [ -n "$end" ]; then
        echo "$end"
        return
    fi
    main=CMakeFiles/ntpmu.dir/scenarios/runner/commands/main.c.o
    [ ! -e "$1/objects/$main" ] || objects=$(echo "$objects" | grep -vFx "$main")
    # shellcheck disable=SC2086
    link_mutant "$1" ntpmu "$(ninja -C "$base" -t commands -s ntpmu)" \
        $objects || echo stillborn
}

# run_module_tests [FILE]: those that may notice a defect there, or all.
run_module_tests() {
    compiler='^(api\.ctrpp|manifests)(\.|$)|^commands\.ctrpp'
    case ${1-} in
    '') set -- -R "^(sim|api)(\.|\$)|$compiler" ;;
    api/ctrpp/*) set -- -R "$compiler" ;;
    *) set -- -R '^(sim|api)(\.|$)' -E '^api\.ctrpp' ;;
    esac
    ctest --test-dir "$here/modules" "$@" --timeout 30 \
        --stop-on-failure -j "$jobs" </dev/null
}

# ask_module_tests DIRECTORY FILE: changes its line by what all of them said.
# Until it is through, $here/changed names the file: whoever stops it leaves an
# object that looks newer than the right source.
ask_module_tests() {
    printf '%s\n' "$2" >"$here/changed"
    cp "$1/$2" "$here/modules_tree/$2"
    said=survived
    if ! cmake --build "$here/modules" >/dev/null 2>&1; then
        said='not built'
        case $2 in
        api/ctrpp/*) said=caught ;; # it was compiled, and runs in the build
        esac
    elif ! run_module_tests "$2" >/dev/null 2>&1; then
        said=caught
    fi
    cp "$tree/$2" "$here/modules_tree/$2"
    rm "$here/changed"
    "$mutate" judge "$1" 0 "$said" >"$1/line"
}

# build_sim_tests: the programs of the tests of sim. sim_tests has a line a file of
# tests, with its program; none of their own sources includes a table of sim.
build_sim_tests() {
    programs=$(ninja -C "$base" -t targets all |
        sed -n 's|^tests/\(test_sim[a-z0-9_]*\): .*|\1|p')
    # shellcheck disable=SC2086
    ninja -C "$base" $programs || return
    for program in $programs; do
        "$base/tests/$program" --list | sed "s/^\([^.]*\).*/$program \1/" | uniq
    done >"$here/sim_tests"
    [ -s "$here/sim_tests" ]
}

# sim_tests_for FILE: those named after it first, then the fast ones.
sim_tests_for() {
    stem=$(basename "${1%.*}")
    awk -v stem="test_$stem" '
        { print (index($2, stem) == 1 ? 0 : \
                 $2 ~ /_(random|differential)$/ ? 2 : 1), $0 }' \
        "$here/sim_tests" | sort -s -n -k 1,1 | cut -d ' ' -f 2-
}

# run_sim_test DIRECTORY PROGRAM FILE: the tests of that file.
run_sim_test() (
    ulimit -f "$output_blocks"
    ulimit -v "$memory_kib"
    ulimit -c 0
    cd "$1" || exit
    exec 2>/dev/null
    timeout -k 1 "$(cat "$here/sim_limit" 2>/dev/null || echo 300)" \
        "./$2" "$3.*" >output </dev/null || exit
)

# They have to pass, too; sim_limit has the seconds that one may take.
run_base_sim_tests() {
    rm -f "$here/sim_limit"
    begun=$(milliseconds)
    while read -r program file; do
        cp "$base/tests/$program" "$here/unchanged/"
        run_sim_test "$here/unchanged" "$program" "$file" || {
            echo "$program $file fails without any defect planted"
            return 1
        }
    done <"$here/sim_tests"
    echo $((10 + ($(milliseconds) - begun) / 250)) >"$here/sim_limit"
}

# ask_sim_tests DIRECTORY FILE: prints which of them notices the mutant, and
# nothing if none does or there is none.
ask_sim_tests() {
    objects=$(objects_of "$2" | grep '^CMakeFiles/sim\.dir/')
    # shellcheck disable=SC2086
    [ -n "$objects" ] && [ -z "$(compile_mutant "$1" $objects)" ] || return 0
    sim_tests_for "$2" | while read -r program file; do
        # shellcheck disable=SC2086
        [ -e "$1/$program" ] || link_mutant "$1" "$program" \
            "$(ninja -C "$base" -t commands -s "$program")" $objects || break
        if ! run_sim_test "$1" "$program" "$file"; then
            echo "$(echo "${program#test_}" | tr _ .).$file"
            break
        fi
    done
    rm -f "${1:?}"/test_*
}

# try DIRECTORY FILE: its line of the account. The directory has the mutant.
try() {
    said=
    case $module_tests$2 in
    yessim/*)
        said=$(ask_sim_tests "$1" "$2")
        if [ -n "$said" ]; then
            "$mutate" judge "$1" unasked "$said" >"$1/line"
            return
        fi
        said=survived
        ;;
    esac
    end=$(make_mutant "$1" "$2")
    if [ -z "$end" ]; then
        end=0
        case $2 in
        api/ctrpp/*) ;; # no scenario runs it
        *) run_suite "$1/ntpmu" "$1" "$limit" || end=$? ;;
        esac
    fi
    "$mutate" judge "$1" "$end" ${said:+"$said"} >"$1/line"
}
