// What Package.swift knows of the sources that a binary was built from.
#ifndef WEIR_CBUILD_H
#define WEIR_CBUILD_H

/// The abbreviated commit, with a "+" where files were changed since; empty outside a git
/// repository.
const char *weir_build_commit(void);

#endif
