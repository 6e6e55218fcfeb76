/* scenario_limits.h - how much of everything a scenario can have. */
#ifndef RUNNER_LANGUAGE_SCENARIO_LIMITS_H
#define RUNNER_LANGUAGE_SCENARIO_LIMITS_H

enum {
    SCENARIO_STEPS = 2000,
    SCENARIO_TAGS = 256, /* with those of defaults.yaml */
    /* Keys, values and list items of its file, by instances: each is read for
     * each. */
    SCENARIO_VALUES_READ = 8000000,
    SCENARIO_FRAMES = 1024,
    SCENARIO_FRAGMENT_DEPTH = 8,
    SCENARIO_ACTORS = 64,
    SCENARIO_MANIFESTS = 64,
    SCENARIO_HEADERS = 64,
    SCENARIO_CLAIMS = 8, /* of Windows itself */
    SCENARIO_ANSWERS = 64,
    SCENARIO_RANGES = 32, /* of physical memory */
    RANGE_BYTES = 1 << 30,
    SCENARIO_REGISTERS = 256,     /* of one of them */
    SCENARIO_CONTENT = 1 << 20,   /* bytes of one of them that are given */
    SCENARIO_FUNCTIONS = 32,      /* of PCI */
    SCENARIO_READS = 256,         /* values of one register */
    SCENARIO_PHYSICAL_BYTES = 64, /* of a probe */
    SCENARIO_STORED = 256, /* keys of the registry, values of one, files */
    RUN_SEGMENTS = 1024,
    RUN_FUNCTIONS = 64, /* of one stretch of code */
    FUNCTION_BYTES = 1 << 24,
    FUNCTION_SHARE = 1000000,
    RUN_REPEAT = 1000000,
    IOCTL_OUTPUT_BYTES = 1 << 20,
    EXPLORE_PREEMPTIONS_MOST = 64,
    EXPLORE_SCHEDULES_MOST = 10000000,
    CHECK_COVERS = 4,          /* requirements of one expectation */
    REQUIREMENT_ID_BYTES = 16, /* of one that is built in, with its NUL */
    REQUIREMENT_SAME = 8,      /* those that together state another one */
};

#endif
