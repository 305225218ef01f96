#!/bin/sh
# Checks that a Linux binary looks for libraries in no folder of its own, is position-independent, has
# its relocations made read-only at the start, and has guarded stacks and checked buffers in its C code.
# usage: check-hardening.sh BINARY
set -eu
binary=$1
failed=0
fail() {
  echo "$binary: $1" >&2
  failed=1
}

dynamic=$(readelf -dW "$binary")
segments=$(readelf -lW "$binary")
symbols=$(readelf --dyn-syms -W "$binary")
found=$(printf '%s\n' "$dynamic" | grep -E 'R(UN)?PATH' || true)
[ -z "$found" ] || fail "it looks for libraries beside itself or elsewhere:$found"
printf '%s\n' "$dynamic" | grep -q 'Flags:.*PIE' || fail "it is not position-independent"
printf '%s\n' "$dynamic" | grep -q -E 'BIND_NOW|Flags:.*NOW' || fail "it binds functions while it runs (no -z now)"
printf '%s\n' "$segments" | grep -q GNU_RELRO || fail "its relocations stay writable (no -z relro)"
printf '%s\n' "$segments" | grep GNU_STACK | grep -q 'RW ' || fail "its stack is executable"
printf '%s\n' "$segments" | grep -E 'LOAD.* RWE' && fail "it has pages that are writable and executable"
printf '%s\n' "$symbols" | grep -q __stack_chk_fail || fail "its C code has no stack protector"
printf '%s\n' "$symbols" | grep -q -E '__[a-z]+_chk' || fail "its C code does not check buffers (FORTIFY_SOURCE)"
exit $failed
