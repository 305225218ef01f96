#ifndef WEIR_DESCRIPTION_H
#define WEIR_DESCRIPTION_H

#include "CNcurses.h"

/// Returns the current terminal's description (setupterm) with the additions, as a value for
/// TERMINFO; the caller frees it. NULL if memory runs out or the description is too long.
char *weir_completed_description(const char *type, struct weir_additions with);

#endif
