/* nowhere.h - it includes what is not there. */
#include "not_there.h"
