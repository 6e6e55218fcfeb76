/* test_run_pmu.c - scenarios in which processors work, counters overflow and
 * handlers run; several actors; questions about the state
 * (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/run/scenario_run.h"

#define STEPS(steps) HEAD "steps:\n" steps
/* Nobody holds what is configured (KHC-SET-11b). */
#define SILENT(steps) HEAD "rulings: {KHC-SET-11b: silent}\nsteps:\n" steps
#define EXPECT(expect) "  expect: {" expect ", covers: [T-01]}\n"
#define ALONE(expect) "- expect: {" expect ", covers: [T-01]}\n"
#define ALLOCATE(affinity, groups, list)                                       \
    "call: HalAllocateHardwareCounters, args: {GroupAffinty: " affinity        \
    ", GroupCount: " groups ", ResourceList: " list "}"
#define COUNTER(index)                                                         \
    "{Type: ResourceTypeSingle, u: {CounterIndex: " index "}}"
#define LIST(descriptors) "{Descriptors: [" descriptors "]}"

#define SET "{kind: counter_set}"
#define HELD ENDS_WITH(SET)

/* The driver holds counters 0 and 1 with the handler ovf; they count the cycles
 * of ring 3. */
#define HANDLED(body, steps)                                                   \
    HEAD "callbacks:\n  ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: "  \
         "[" body "]}\nsteps:\n- {" ALLOCATE("null", "0",                      \
             LIST(COUNTER("0") ", " COUNTER(                                   \
                 "1") ", {Type: "                                              \
                      "ResourceTypeOverflow, u: {OverflowHandler: "            \
                      "$ovf}}")) ", "                                          \
                                 "save: {h: out.CounterSetHandle}}\n"          \
                                 "- {wrmsr: {index: IA32_PERFEVTSEL0, "        \
                                 "value: 0x51003C}}\n"                         \
                                 "- {wrmsr: {index: IA32_PERFEVTSEL1, "        \
                                 "value: 0x51003C}}\n" steps HELD

static struct scenario_run_row handler_rows[] = {
    {"handler_runs_with_its_arguments",
        HANDLED("",
            "- overflow: {counters: [0, 1]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, cpu: 0, irql: PROFILE_LEVEL, "
                "args: {OverflowBits: 0x3, OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"handler_runs_with_other_bits",
        HANDLED("", "- overflow: {counters: [1]}\n" EXPECT(
                        "handler: {name: ovf, runs: 1, args: {OverflowBits: "
                        "0x1, OwningHandle: $h}}")),
        RESULT_FAIL, 1, "4", "handler OverflowBits: expected 0x1, actual 0x2"},
    {"handler_runs_on_another_processor",
        HANDLED("", "- overflow: {counters: [0]}\n" EXPECT(
                        "handler: {name: ovf, runs: 1, cpu: 1, args: "
                        "{OwningHandle: $h}}")),
        RESULT_FAIL, 1, "4", "handler cpu: expected 1, actual 0"},
    {"handler_runs_less_often",
        HANDLED(
            "", "- overflow: {counters: [0]}\n" EXPECT(
                    "handler: {name: ovf, runs: 2, args: {OwningHandle: $h}}")),
        RESULT_FAIL, 1, "4", "handler runs: expected 2, actual 1"},
    {"handler_of_an_earlier_step_does_not_count",
        HANDLED("",
            "- overflow: {counters: [0]}\n"
            "- overflow: {counters: [0]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"steps_of_a_handler_run_at_its_level",
        HANDLED("{call: KeGetCurrentIrql, expect: {returns: PROFILE_LEVEL}}",
            "- overflow: {counters: [0]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"failure_inside_of_a_handler_has_its_number",
        HANDLED("{call: KeGetCurrentIrql, expect: {returns: HIGH_LEVEL}}, "
                "{call: KeGetCurrentIrql, expect: {returns: PASSIVE_LEVEL}}",
            "- overflow: {counters: [0]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}")),
        RESULT_FAIL, 1, "ovf.2",
        "returns: expected PASSIVE_LEVEL, actual PROFILE_LEVEL"},
    {"handler_sees_its_arguments",
        HANDLED("{wrmsr: {index: IA32_PMC1, value: $OverflowBits}}",
            "- overflow: {counters: [0]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}, "
                "state: {msr: {cpu: 0, index: IA32_PMC1}, is: {min: 1}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"bug_check_inside_of_a_handler_ends_the_step",
        HANDLED("{call: HalFreeHardwareCounters, args: "
                "{CounterSetHandle: $OwningHandle}}",
            "- overflow: {counters: [0]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}, "
                "bugcheck: {code: IRQL_NOT_LESS_OR_EQUAL}, "
                "violations: [{rule: irql.contract, irql: PROFILE_LEVEL}]")),
        RESULT_PASS, 0, NULL, NULL},
    {"rule_broken_by_a_handler_is_the_step_s",
        HANDLED("{wrmsr: {index: IA32_PMC2, value: 1}}",
            "- overflow: {counters: [0]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}")),
        RESULT_FAIL, 1, "4",
        "broken rule hal.counter.unheld on cpu 0: a driver programmed a "
        "counter that none of its "
        "sets holds on that processor: counter 2 (HAL-ALLOC-58 HAL-ALLOC-59); "
        "expect violations if it is meant to be"},
};

/* A row: counter 0 with this select, over a million cycles of such a run. */
#define COUNTED(select, run, want)                                             \
    HANDLED("", "- wrmsr: {index: IA32_PERFEVTSEL0, value: " select "}\n"      \
                "- run: {cycles: 1000000, " run "}\n" EXPECT(                  \
                    "state: {msr: {cpu: 0, index: IA32_PMC0}, is: " want       \
                    "}, handler: {name: ovf, runs: 0, args: {OwningHandle: "   \
                    "$h}}")),                                                  \
        RESULT_PASS, 0, NULL, NULL

static struct scenario_run_row workload_rows[] = {
    {"counter_that_is_not_programmed_cannot_overflow",
        STEPS("- overflow: {counters: [0]}\n" EXPECT("violations: []")),
        RESULT_ERROR, 1, "1",
        "counter 0 on cpu 0 is not programmed: it must be enabled in its own "
        "control register, for "
        "a ring, with an event that this model has, and in the global "
        "control register if there is one"},
    {"counter_with_edge_cannot_overflow",
        HANDLED("",
            "- wrmsr: {index: IA32_PERFEVTSEL0, value: 0x55003C}\n"
            "- overflow: {counters: [0]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}")),
        RESULT_ERROR, 1, "5",
        "counter 0 on cpu 0 has EDGE, INV or a CMASK above 1; use wrmsr and "
        "run for it"},
    {"counters_of_different_rings_cannot_overflow_together",
        HANDLED("",
            "- wrmsr: {index: IA32_PERFEVTSEL0, value: 0x52003C}\n"
            "- overflow: {counters: [0, 1]}\n" EXPECT(
                "handler: {name: ovf, runs: 1, args: {OwningHandle: $h}}")),
        RESULT_ERROR, 1, "5",
        "the counters count in different rings; overflow them one by one"},
    {"run_counts_instructions_of_its_rate",
        HANDLED("",
            "- wrmsr: {index: IA32_PERFEVTSEL0, value: 0x4100C0}\n"
            "- run: {cycles: 1000, rates: {instructions: 3/2}}\n" EXPECT(
                "state: {msr: {cpu: 0, index: IA32_PMC0}, is: 1500}, handler: "
                "{name: ovf, runs: 0, args: {OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"run_without_rates_is_an_instruction_a_cycle",
        HANDLED("",
            "- wrmsr: {index: IA32_PERFEVTSEL0, value: 0x4100C0}\n"
            "- run: {cycles: 1000}\n" EXPECT(
                "state: {msr: {cpu: 0, index: IA32_PMC0}, is: 1000}, "
                "handler: {name: ovf, runs: 0, args: {OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"run_of_a_mix_has_its_rates",
        COUNTED("0x4100C5", "mix: branchy", "20000")},
    {"run_of_a_mix_with_rates_of_its_own_has_those",
        COUNTED(
            "0x4100C5", "mix: branchy, rates: {branch_misses: 1/4}", "250000")},
    {"run_of_a_mix_with_rates_of_others_keeps_the_mix",
        COUNTED(
            "0x4100C5", "mix: branchy, rates: {instructions: 1/4}", "20000")},
    {"run_of_a_mix_with_a_total_has_the_total",
        COUNTED("0x4100C0", "mix: compute, events: {instructions: 999983}",
            "999983")},
    {"run_of_idle_counts_nothing", COUNTED("0x41003C", "mix: idle", "0")},
    {"events_are_exact_over_a_segment",
        COUNTED("0x4100C5", "events: {branch_misses: 7}", "7")},
    {"events_alone_have_no_instructions",
        COUNTED("0x4100C0", "events: {branch_misses: 7}", "0")},
    {"rates_of_nothing_have_no_instructions",
        COUNTED("0x4100C0", "rates: {}", "0")},
    {"burst_comes_on_top_of_the_rate",
        COUNTED("0x4100C5",
            "rates: {branch_misses: 1/1000}, burst: {branch_misses: 123}",
            "1123")},
    {"burst_leaves_an_instruction_a_cycle",
        COUNTED("0x4100C0", "burst: {branch_misses: 123}", "1000000")},
    {"burst_is_one_cycle_for_cmask",
        COUNTED("0x54100C5", "burst: {branch_misses: 123}", "1")},
    {"burst_in_another_ring_is_not_counted",
        COUNTED("0x4200C5", "burst: {branch_misses: 123}", "0")},
    {"run_is_repeated",
        COUNTED("0x4100C5", "events: {branch_misses: 7}, repeat: 11", "77")},
    {"segments_run_one_after_another",
        HANDLED("",
            "- wrmsr: {index: IA32_PERFEVTSEL0, value: 0x4100C0}\n"
            "- run: {segments: [{cycles: 10}, {cycles: 100, mix: compute}, "
            "{cycles: 50, halted: true}, {cycles: 1000, ring: kernel}, "
            "{cycles: 7, events: {instructions: 5}, burst: {instructions: "
            "1000}}]}\n" EXPECT(
                "state: {msr: {cpu: 0, index: IA32_PMC0}, is: 1315}, handler: "
                "{name: ovf, runs: 0, args: {OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"segments_are_repeated",
        HANDLED("",
            "- wrmsr: {index: IA32_PERFEVTSEL0, value: 0x4100C0}\n"
            "- run: {repeat: 1000, segments: [{cycles: 10}, {cycles: 3, "
            "events: {instructions: 1}}]}\n" EXPECT(
                "state: {msr: {cpu: 0, index: IA32_PMC0}, is: 11000}, handler: "
                "{name: ovf, runs: 0, args: {OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"overflow_in_a_burst_is_handled",
        HANDLED("",
            "- program: {counter: 0, event: branch_misses, ring: user, period: "
            "100, pmi: true}\n"
            "- run: {cycles: 1000, burst: {branch_misses: 100}}\n" EXPECT(
                "state: {msr: {cpu: 0, index: IA32_PMC0}, is: 0}, handler: "
                "{name: ovf, runs: 1, args: {OwningHandle: $h}}, events: {at: "
                "{event: burst, of: branch_misses, count: 100, ring: user, "
                "cycle: 0}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"cpuid_has_four_results",
        STEPS("- cpuid: {cpu: 1, leaf: 0xA}\n"
              "  save: {a: eax, d: edx}\n" EXPECT(
                  "eax: 0x7300802, ebx: 0, ecx: 0, edx: 0x603")
                  ALONE("that: $(a == 0x7300802 and d == 0x603)")),
        RESULT_PASS, 0, NULL, NULL},
    {"cpuid_with_another_result",
        STEPS("- cpuid: {leaf: 0xA}\n" EXPECT("edx: 0x604")), RESULT_FAIL, 1,
        "1", "edx: expected 0x604, actual 0x603"},
    {"cpuid_of_no_leaf",
        STEPS(
            "- cpuid: {leaf: 0x2}\n" EXPECT("eax: 0, ebx: 0, ecx: 0, edx: 0")),
        RESULT_PASS, 0, NULL, NULL},
    {"rdpmc_of_user_code_reads",
        STEPS("- rdpmc: {index: 0, ring: user}\n" EXPECT("value: 0")),
        RESULT_PASS, 0, NULL, NULL},
    {"rdpmc_of_user_code_raises_without_cr4_pce",
        STEPS("- rdpmc: {index: 0, ring: user, pce: false}\n" EXPECT(
            "raises: GP")),
        RESULT_PASS, 0, NULL, NULL},
    {"run_in_ring_0_is_not_counted_in_ring_3",
        HANDLED(
            "", "- run: {cycles: 1000, ring: kernel}\n" EXPECT(
                    "state: {msr: {cpu: 0, index: IA32_PMC0}, is: 0}, handler: "
                    "{name: ovf, runs: 0, args: {OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
    {"halted_processor_counts_nothing",
        HANDLED(
            "", "- run: {cycles: 1000, halted: true}\n" EXPECT(
                    "state: {msr: {cpu: 0, index: IA32_PMC0}, is: 0}, handler: "
                    "{name: ovf, runs: 0, args: {OwningHandle: $h}}")),
        RESULT_PASS, 0, NULL, NULL},
};

static struct scenario_run_row state_rows[] = {
    {"owner_holds_its_counters",
        STEPS("- {" ALLOCATE("null", "0",
            LIST(COUNTER("0") ", " COUNTER(
                "32"))) "}\n" ALONE("state: [{counters: {owner: drv, cpu: "
                                    "all}, is: [0, 32]}, {counters: {owner: "
                                    "nobody, cpu: 3}, "
                                    "is: [1, 2, 3, 4, 5, 6, 7, 33, 34]}]")
                HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"owner_holds_other_counters",
        STEPS("- {" ALLOCATE("null", "0", LIST(COUNTER("0"))) "}\n" ALONE(
            "state: {counters: {owner: drv, cpu: 1}, is: [1]}")),
        RESULT_FAIL, 1, "2",
        "state of cpu 1, counters[0]: expected 1, actual 0"},
    {"first_processor_that_differs_is_reported",
        STEPS("- {" ALLOCATE("[{Mask: 0x3}]", "1", "null") "}\n" ALONE(
            "state: {owners: {cpu: all}, is: [drv]}")),
        RESULT_FAIL, 1, "2",
        "state of cpu 2, owners: expected [drv], actual []"},
    {"whole_pmu_has_an_owner",
        STEPS("- {" ALLOCATE("[{Mask: 0x3}]", "1", "null") "}\n" ALONE(
            "state: [{owners: {cpu: 1}, is: [drv]}, {owners: {cpu: 2}, is: "
            "[]}, {owners: {cpu: 1}, is: {len: 1}}]") HELD),
        RESULT_PASS, 0, NULL, NULL},
    {"configured_counters",
        SILENT("- {call: KeSetHardwareCounterConfiguration, args: "
               "{CounterArray: [{Index: 5}], "
               "Count: 1}}\n" ALONE("state: {configured: system, is: [{Type: "
                                    "PMCCounter, Index: 5}]}")),
        RESULT_PASS, 0, NULL, NULL},
    {"configured_counters_differ",
        SILENT("- {call: KeSetHardwareCounterConfiguration, args: "
               "{CounterArray: [{Index: 5}], "
               "Count: 1}}\n" ALONE("state: {configured: system, is: []}")),
        RESULT_FAIL, 1, "2",
        "state, configured: expected [], actual [{Type=PMCCounter, Reserved=0, "
        "Index=5}]"},
    {"register_of_every_processor",
        STEPS(ALONE(
            "state: {msr: {cpu: all, index: IA32_X2APIC_LVT_PMI}, is: 0xFE}")),
        RESULT_PASS, 0, NULL, NULL},
    {"level_of_every_processor",
        STEPS("- {call: KfRaiseIrql, args: {NewIrql: 2}}\n" ALONE(
            "state: {irql: {cpu: all}, is: PASSIVE_LEVEL}")),
        RESULT_FAIL, 1, "2",
        "state of cpu 0, irql: expected PASSIVE_LEVEL, actual DISPATCH_LEVEL"},
};

#define TWO HEAD "actors: [a, b]\nsteps:\n"
#define BOTH_HELD                                                              \
    "finally:\n" ACTOR_ENDS_WITH("a", SET) ACTOR_ENDS_WITH("b", SET)

static struct scenario_run_row actor_rows[] = {
    {"actors_start_on_processors_of_their_own",
        TWO "- {as: a, call: KfRaiseIrql, args: {NewIrql: 1}}\n"
            "- {as: b, call: KfRaiseIrql, args: {NewIrql: 2}}\n" ALONE(
                "state: [{irql: {cpu: 0}, is: 1}, {irql: {cpu: 1}, is: 2}, "
                "{irql: {cpu: 2}, is: 0}]"),
        RESULT_PASS, 0, NULL, NULL},
    {"actors_own_what_they_allocate",
        TWO "- {as: a, " ALLOCATE("null", "0",
            LIST(COUNTER(
                "0"))) "}\n"
                       "- {as: b, " ALLOCATE("null", "0",
                           LIST(COUNTER(
                               "1"))) "}\n" ALONE("state: [{owners: {cpu: 0}, "
                                                  "is: [a, b]}, {counters: "
                                                  "{owner: b, cpu: 0}, is: "
                                                  "[1]}]") BOTH_HELD,
        RESULT_PASS, 0, NULL, NULL},
    {"branches_of_parallel_both_run",
        TWO "- parallel:\n    a: [{call: KfRaiseIrql, args: {NewIrql: 1}}]\n"
            "    b: [{call: KfRaiseIrql, args: {NewIrql: 2}, expect: {returns: "
            "0, covers: [T-01]}}]\n" ALONE(
                "state: [{irql: {cpu: 0}, is: 1}, {irql: {cpu: 1}, is: 2}]"),
        RESULT_PASS, 0, NULL, NULL},
    {"failure_inside_of_a_branch_has_its_number",
        TWO "- parallel:\n    a: [{call: KeGetCurrentIrql}]\n"
            "    b: [{call: KeGetCurrentIrql}, {call: KeGetCurrentIrql, "
            "expect: {returns: 7, covers: [T-01]}}]\n",
        RESULT_FAIL, 1, "1.b.2", "returns: expected 7, actual PASSIVE_LEVEL"},
    {"each_branch_sees_its_own_variable",
        TWO
        "- parallel:\n"
        "    a: [{" ALLOCATE("null", "0",
            LIST(COUNTER(
                "0"))) ", save: {h: out.CounterSetHandle}}, {" ALLOCATE("null",
            "0",
            LIST(COUNTER(
                "1"))) ", expect: {out: {CounterSetHandle: {min: $h}}, covers: "
                       "[T-01]}}]\n"
                       "    b: [{rdmsr: {index: IA32_PMC0}, save: {h: value}}, "
                       "{run: {cycles: 1500}}, {run: {cycles: 1500}}, "
                       "{rdmsr: {index: IA32_PMC0}, expect: {value: $h}}]\n"
                       "finally:\n" ACTOR_ENDS_WITH("a", SET ", " SET),
        RESULT_PASS, 0, NULL, NULL},
    {"variable_of_one_branch_is_seen_afterwards",
        TWO "- parallel:\n"
            "    a: [{call: KfRaiseIrql, args: {NewIrql: 1}, save: {old: "
            "returns}}]\n    b: [{call: KeGetCurrentIrql}]\n"
            "- {as: a, call: KeLowerIrql, args: {NewIrql: $old}}\n" ALONE(
                "state: {irql: {cpu: 0}, is: 0}"),
        RESULT_PASS, 0, NULL, NULL},
    {"one_of_two_racing_actors_gets_the_pmu",
        TWO "- parallel:\n"
            "    a: [{" ALLOCATE("null", "0",
                "null") ", expect: {status: STATUS_SUCCESS, covers: [T-01]}}]\n"
                        "    b: [{" ALLOCATE("null", "0",
                            "null") ", expect: {status: "
                                    "STATUS_INSUFFICIENT_RESOURCES, covers: "
                                    "[T-01]}}]\n"
                                    "finally:\n" ACTOR_ENDS_WITH("a", SET),
        RESULT_PASS, 0, NULL, NULL},
    {"variable_is_read_before_it_is_set",
        HEAD
        "callbacks:\n  ovf: {type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER, do: "
        "[{call: KeGetCurrentIrql, expect: {returns: {not: "
        "$late}}}]}\nsteps:\n- {" ALLOCATE("null", "0",
            LIST(COUNTER(
                "0") ", {Type: ResourceTypeOverflow, u: {OverflowHandler: "
                     "$ovf}}")) "}\n"
                                "- wrmsr: {index: IA32_PERFEVTSEL0, value: "
                                "0x51003C}\n- overflow: {counters: "
                                "[0]}\n" EXPECT("handler: {name: ovf, "
                                                "runs: 1}") "- {call: "
                                                            "KeGetCurrentIr"
                                                            "ql, save: "
                                                            "{late: "
                                                            "returns}}\n",
        RESULT_FAIL, 1, "ovf.1",
        "returns: $late is read before a step has set it"},
};

TEST_FILE(test_run_pmu)
{
    TEST_ADD_ROWS(list, scenario_run_row, handler_rows);
    TEST_ADD_ROWS(list, scenario_run_row, workload_rows);
    TEST_ADD_ROWS(list, scenario_run_row, state_rows);
    TEST_ADD_ROWS(list, scenario_run_row, actor_rows);
}
