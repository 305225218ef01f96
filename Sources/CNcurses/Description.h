#ifndef WEIR_DESCRIPTION_H
#define WEIR_DESCRIPTION_H

#include "CNcurses.h"

/// The current terminal's description (setupterm) completed, in a form that TERMINFO can hold; the
/// caller frees it. NULL where there is no memory or it is too long.
char *weir_completed_description(const char *type, struct weir_additions with);

#endif
