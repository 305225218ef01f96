#!/bin/sh
# Links the objects of the release build once more, stripped, without the tables for unwinding and with
# ICU's data trimmed (see TrimICU.swift): less than a third of the size of what `swift build` links. Linux.
# usage: link-small.sh RELEASE-FOLDER WORK-FOLDER OUT
set -eu
release=$1 work=$2 out=$3
here=$(dirname "$0")
swiftc=$(command -v "${SWIFTC:-swiftc}")
library=$(dirname "$(realpath "$swiftc")")/../lib/swift_static/linux/lib_FoundationICU.a
mkdir -p "$work"

if [ -f "$library" ]; then
  # The member with the data, its bytes, and the name of the symbol that stands before them.
  member=$(ar t "$library" | grep icu_packaged_data)
  ar p "$library" "$member" >"$work/packaged.o"
  symbol=$(nm --defined-only "$work/packaged.o" | awk '$2 == "R" { print $3 }')
  objcopy -O binary --only-section=.rodata "$work/packaged.o" "$work/icu.dat"
  [ -x "$work/trim-icu" ] && [ "$work/trim-icu" -nt "$here/TrimICU.swift" ] ||
    "$swiftc" -O "$here/TrimICU.swift" -o "$work/trim-icu"
  "$work/trim-icu" "$work/icu.dat" "$work/small.dat"
  printf '%s\n' '.section .rodata' ".globl $symbol" '.balign 16' "$symbol:" \
    ".incbin \"$work/small.dat\"" '.section .note.GNU-stack,"",@progbits' >"$work/icu.s"
  as "$work/icu.s" -o "$work/icu.o"
  data=$work/icu.o
else
  echo "This toolchain has no ICU data in $library: linking without trimming it." >&2
  data=
fi

# The libraries, as the package manager links them: from its list of commands, a JSON array for each.
libraries=$(grep -e '"-emit-executable"' "$release/../../release.yaml" | grep -e '"-module-name","weir"' |
  tr ',' '\n' | sed -n 's/^"\(-[lL]..*\)"$/\1/p')

# Swift unwinds nothing, and no exception of C++ passes through the program: it does without the tables
# for that. A hash of each module for incremental builds differs from build to build: without it, and
# without an identifier made of all bytes, two builds in the same folder are equal.
if [ -x "$(dirname "$(realpath "$swiftc")")/ld.lld" ]; then
  printf '%s\n' 'SECTIONS { /DISCARD/ : {' '  *(.eh_frame) *(.gcc_except_table .gcc_except_table.*) *(.swift_modhash)' \
    '} } INSERT AFTER .text;' >"$work/discard.ld"
  linker="-use-ld=lld -Xlinker -T -Xlinker $work/discard.ld -Xlinker --no-eh-frame-hdr -Xlinker --build-id=none
    -Xlinker -O2"
  finish=true
else
  echo "This toolchain has no ld.lld: linking with the tables for unwinding." >&2
  linker=
  finish='objcopy --remove-section=.swift_modhash --remove-section=.note.gnu.build-id'
fi

# shellcheck disable=SC2086 # several arguments
"$swiftc" $linker -static-stdlib -emit-executable -module-name weir $data \
  "@$release/weir.product/Objects.LinkFileList" \
  $libraries \
  -Xlinker --gc-sections -Xlinker --icf=safe -Xlinker --no-export-dynamic \
  -Xlinker --defsym -Xlinker main=weir_main -Xlinker -z -Xlinker relro \
  -Xlinker -z -Xlinker now -Xlinker -s -o "$out" 2>&1 |
  { grep -v -e 'use of `mktemp' -e '^/usr/bin/ld' || true; }
[ -x "$out" ]
$finish "$out"
