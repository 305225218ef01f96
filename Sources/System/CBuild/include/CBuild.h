// Facts from Package.swift about the sources of a binary.
#ifndef WEIR_CBUILD_H
#define WEIR_CBUILD_H

/// Returns the abbreviated commit, with a "+" if files had changed since; empty outside a git
/// repository.
const char *weir_build_commit(void);

#endif
