/* no_sets.c - a provider without counter sets has headers, too. */
#include <wdm.h>

#include "no_sets.h"
#include "no_sets_symbols.h"

typedef int no_sets;
