# mutation.sh - how tools/soak_mutation makes the program of one mutant, and asks
# the suite and the tests of the modules about it. It is sourced; $tree is the
# copy of the sources, $base where that is built, $here all else.
# shellcheck disable=SC2154 # they are given

# No mutant may make as much as the host has.
output_blocks=200000
memory_kib=12000000

leaked=23 # what LeakSanitizer ends a program with

# run_suite PROGRAM DIRECTORY SECONDS PATH...: its exit code. Of a suite that has
# passed the memory of the host that was not given back is looked at.
run_suite() (
    program=$1 into=$2 seconds=$3
    shift 3
    ulimit -f "$output_blocks"
    ulimit -d "$memory_kib" # of what may be written: its sanitizer reserves more
    ulimit -c 0
    cd "$tree" || exit
    # What is unwound slowly is known on a strand's stack; else it is no leak.
    LSAN_OPTIONS=exitcode=0:fast_unwind_on_malloc=0:malloc_context_size=5 \
        timeout -k 1 "$seconds" \
        "$program" run "$@" --allow-driver "$drivers/scenarios/drivers" \
        --timeout 2 --report "jsonl=$into/report" >"$into/output" \
        2>"$into/errors" </dev/null || exit $?
    ! grep -q 'LeakSanitizer: detected memory leaks' "$into/errors" ||
        exit "$leaked"
)

# ask_suite DIRECTORY FUNCTION: those of its files that reach the function.
ask_suite() {
    files=$(files_reaching "$2")
    # shellcheck disable=SC2086 # their names have no blanks
    [ -z "$files" ] || run_suite "$1/ntpmu" "$1" "$limit" $files
}

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
    api/ctrpp/*.c) target=ctrpp ;;
    api/driver_support/sddl.c) target=sddl ;;
    scenarios/runner/commands/main.c) target=ntpmu ;;
    scenarios/*.c) target=runner ;;
    *.c) target=${1%%/*} ;;
    sim/*)
        # Where nobody has looked, all that see the table.
        if [ -e "$here/table_objects" ]; then
            sed -n "s|^$1 ||p" "$here/table_objects"
        else
            dependent_on "$1"
        fi
        return
        ;;
    *)
        dependent_on "$1"
        return
        ;;
    esac
    printf 'CMakeFiles/%s.dir/%s.o\n' "$target" "$1"
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
# objects in their place, or before the libraries. A library's object is not
# looked at when another one has all that it defines.
link_mutant() {
    into=$1 program=$2 command=$3 linked=
    shift 3
    for object in "$@"; do
        case " $command " in
        *" $object "*)
            command=$(printf '%s\n' "$command" |
                sed "s| $object | \"\$into/objects/$object\" |")
            ;;
        *) linked="$linked\"\$into/objects/$object\" " ;;
        esac
    done
    command=$(printf '%s\n' "$command" |
        sed "s| -o [^ ]*$program | $linked -o \"\$into/$program\" |")
    (cd "$base" && eval "$command") >"$into/compiler" 2>&1
}

# objects_of_all FILE...: those of each, once.
objects_of_all() {
    for one in "$@"; do
        objects_of "$one"
    done | sort -u
}

# make_mutant DIRECTORY FILE...: the program. Prints why there is none.
make_mutant() (
    into=$1
    shift
    objects=$(objects_of_all "$@")
    if [ -z "$objects" ]; then
        echo same_code
        exit
    fi
    # shellcheck disable=SC2086 # their names have no blanks
    end=$(compile_mutant "$into" $objects)
    if [ -n "$end" ]; then
        echo "$end"
        exit
    fi
    # shellcheck disable=SC2086
    link_mutant "$into" ntpmu "$(ninja -C "$base" -t commands -s ntpmu)" \
        $objects || echo stillborn
)

# The program's own tests: what it prints for small files, in the order in which
# they are asked.
program_test_kinds='judged failing bad reports update fmt commands manifests'
program_test_kinds="$program_test_kinds mistakes schema races failures parts imports docs"
program_test_kinds="$program_test_kinds api.ctrpp.golden api.ctrpp.shapes"

# list_program_tests: a line each, its name and its command, with a tab between;
# not of the page that another program makes, that of the benchmarks, and not of
# what takes minutes, or is timed.
list_program_tests() {
    ctest --test-dir "$base" --show-only=json-v1 \
        -R "^($(echo "$program_test_kinds" | tr ' ' '|'))(\.|\$)" \
        >"$here/listing" &&
        "$mutate" commands "$here/listing" >"$here/listed" &&
        for kind in $program_test_kinds; do
            grep -v -e '[.]covered' -e '^docs[.]performance' \
                -e '^parts[.]\(races\|drivers\)' \
                -e '^failures[.]\(clean\|interrupted\)' "$here/listed" |
                grep "^${kind}[.	]" || return
        done >"$here/program_tests"
}

# ask_program_tests DIRECTORY [NAME]: prints which of them notices, or whether
# that one does; the directory has the program, and stands for the base's.
ask_program_tests() (
    mkdir -p "$1/tests/manifests" "$1/tests/api/ctrpp/shapes"
    sed "s|$base/|$1/|g" "$here/program_tests" >"$1/program_tests"
    ulimit -f "$output_blocks"
    ulimit -c 0
    cd "$1" || exit
    export XDG_CACHE_HOME=/dev/null
    tab=$(printf '\t')
    while IFS="$tab" read -r name command; do
        [ "${2-$name}" = "$name" ] || continue
        if ! eval "timeout -k 1 200 $command" >output 2>&1 </dev/null; then
            echo "$name"
            break
        fi
    done <program_tests
)

# programs_of LAYER: the programs of the tests of sim, api, ctrpp or runner.
programs_of() {
    case $1 in
    ctrpp) ours='test_api_ctrpp' ;;
    *) ours="test_$1[a-z0-9_]*" ;;
    esac
    ninja -C "$base" -t targets all | sed -n "s|^tests/.*\($ours\): .*|\1|p" |
        sort -u | if [ "$1" = api ]; then grep -vx test_api_ctrpp; else cat; fi
}

# where_is PROGRAM: relative to the base.
where_is() {
    (cd "$base" && find tests -name "$1" -type f)
}

# layer_of FILE
layer_of() {
    case $1 in
    api/ctrpp/*) echo ctrpp ;;
    scenarios/*) echo runner ;;
    *) echo "${1%%/*}" ;;
    esac
}

# build_room_tests LAYER: LAYER_tests has a line a file of tests: its program, its
# name, and the seconds that it may take. All have to pass. None of their own
# sources includes a table of sim.
build_room_tests() {
    programs=$(programs_of "$1")
    # shellcheck disable=SC2086
    ninja -C "$base" $programs || return
    : >"$here/$1_tests"
    for program in $programs; do
        cp "$base/$(where_is "$program")" "$here/unchanged/"
        "$here/unchanged/$program" --list | sed 's/[.].*//' | uniq |
            while read -r file; do
                begun=$(milliseconds)
                run_room_test "$here/unchanged" "$program" "$file" 300 || {
                    cat "$here/unchanged/output"
                    echo "$program $file fails without any defect planted"
                    exit 1
                }
                echo "$program $file $((10 + ($(milliseconds) - begun) / 100))"
            done >>"$here/$1_tests" || {
            tail -n 30 "$here/$1_tests"
            return 1
        }
    done
    [ -s "$here/$1_tests" ]
}

# tests_for FILE: those of its layer, with how near they are: 0, of its room, those
# named after it first; 1, of others, then the slow ones.
tests_for() {
    room=$(dirname "$1")
    room=${room#scenarios/}
    awk -v stem="test_$(basename "${1%.*}")" \
        -v own="test_$(echo "$room" | tr / _)" '
        { near = $1 == own
          slow = $2 ~ /_(random|differential)$/
          named = index($2, stem) == 1
          print (near || named ? 0 : 1), \
              (named ? 0 : near && !slow ? 1 : slow ? 3 : 2), $0 }' \
        "$here/$(layer_of "$1")_tests" | sort -s -n -k 2,2 | cut -d ' ' -f 1,3-
}

# run_room_test DIRECTORY PROGRAM FILE SECONDS: the tests of that file. Some reserve
# more addresses than the host has memory.
run_room_test() (
    ulimit -f "$output_blocks"
    ulimit -c 0
    cd "$1" || exit
    timeout -k 1 "$4" "./$2" "$3.*" >output 2>&1 </dev/null || exit
)

# ask_room_tests DIRECTORY FILE NEAR: prints which of them notices the mutant, and
# nothing if none does or there is none.
ask_room_tests() {
    objects=$(objects_of "$2" |
        grep "^CMakeFiles/\(sim\|$(layer_of "$2")\)\.dir/" || :)
    # shellcheck disable=SC2086
    [ -n "$objects" ] && [ -z "$(compile_mutant "$1" $objects)" ] || return 0
    tests_for "$2" | while read -r near program file limit; do
        [ "$near" = "$3" ] || continue
        # shellcheck disable=SC2086
        [ -e "$1/$program" ] || link_mutant "$1" "$program" \
            "$(ninja -C "$base" -t commands -s "$(where_is "$program")")" \
            $objects || break
        if ! run_room_test "$1" "$program" "$file" "$limit"; then
            echo "$(echo "${program#test_}" | tr _ .).$file"
            break
        fi
    done
}

# ask_one DIRECTORY FILE WHO: prints who of them notices. End has to be 0 for the
# program to be there.
ask_one() {
    case $3 in
    near) ask_room_tests "$1" "$2" 0 ;;
    far) ask_room_tests "$1" "$2" 1 ;;
    program) ask_program_tests "$1" ;;
    esac
}

# Who is asked of a defect in FILE, one after another until one notices. The suite
# comes first where it alone shall notice, and last where others are quicker.
askers_of() {
    case ${asked_alone:-$1} in
    suite) echo suite ;;
    sim/*) echo near far suite program ;;
    api/ctrpp/*) echo near program far ;;
    api/*) echo suite near program far ;;
    *) echo near suite program far ;;
    esac
}

# wanted_test DIRECTORY: the test that has to notice an entry of the slice.
wanted_test() {
    sed -n 's/.*"test": *"\([^"]*\)".*/\1/p' "$1/mutant.json"
}

# try DIRECTORY FILE FUNCTION: its line of the account. The directory has the
# mutant.
try() {
    end=$(make_mutant "$1" "$2") said='' askers=
    if [ -z "$end" ]; then
        end=unasked askers=$(askers_of "$2")
        test=$(wanted_test "$1")
        if [ -n "$test" ]; then
            askers='' end=0 said=$(ask_program_tests "$1" "$test")
            said=${said:-survived}
        fi
    fi
    for asker in $askers; do
        if [ "$asker" = suite ]; then
            end=0
            ask_suite "$1" "$3" || end=$?
            [ "$end" -eq 0 ] || break
        else
            said=$(ask_one "$1" "$2" "$asker")
            [ -z "$said" ] || break
            said=survived
        fi
    done
    if [ "$end" = unasked ] && [ "$said" = survived ]; then
        end=0
    fi
    "$mutate" judge "$1" "$end" ${said:+"$said"} >"$1/line"
}
