#include "CBuild.h"

const char *weir_build_commit(void) { return WEIR_COMMIT; }
