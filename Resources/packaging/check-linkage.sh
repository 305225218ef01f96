#!/bin/sh
# Checks that a binary starts on Ubuntu 22.04 and newer: which versions of the C and C++ libraries it
# asks for, and that it calls nothing of libcurl, SQLite and ncurses that came later.
# usage: check-linkage.sh BINARY
set -eu
binary=$1
symbols=$(objdump -T "$binary" | grep -F '*UND*' || true)
[ -n "$symbols" ] || { echo "$binary: no dynamic symbols" >&2; exit 1; }
failed=0

# The newest version NAME_x.y.z that any symbol asks for, against the newest that is there.
newest() {
  found=$(printf '%s\n' "$symbols" | sed -n "s/.*(\{0,1\}$1_\([0-9][0-9.]*\).*/\1/p" | sort -V | tail -n 1)
  if [ -n "$found" ] && [ "$(printf '%s\n%s\n' "$found" "$2" | sort -V | tail -n 1)" != "$2" ]; then
    echo "$binary needs $1_$found; Ubuntu 22.04 has $2" >&2
    failed=1
  fi
  echo "$1: ${found:-none} (at most $2)"
}
newest GLIBC 2.35
newest GLIBCXX 3.4.30
newest CXXABI 1.3.13

# libcurl 7.81, SQLite 3.37.2: what was added after them.
later='curl_easy_(next)?header|curl_ws_|curl_multi_get_handles|curl_multi_waitfds|curl_easy_ssls_|curl_global_trace'
later="$later|sqlite3_error_offset|sqlite3_db_name|sqlite3_is_interrupted|sqlite3_stmt_explain"
later="$later|sqlite3_[gs]et_clientdata|sqlite3_setlk_timeout"
if printf '%s\n' "$symbols" | grep -E -w "($later)[a-z_]*"; then
  echo "$binary calls functions that Ubuntu 22.04 does not have" >&2
  failed=1
fi

allowed='linux-vdso|ld-linux|libc\.so|libm\.so|libstdc\+\+|libgcc_s|libcurl\.so\.4|libpsl\.so\.5|libncursesw\.so\.6'
allowed="$allowed|libtinfo\.so\.6|libsqlite3\.so\.0|libz\.so\.1"
others=$(objdump -p "$binary" | sed -n 's/^ *NEEDED *//p' | grep -v -E "^($allowed)" || true)
if [ -n "$others" ]; then
  echo "$binary needs libraries that the packages do not name:" $others >&2
  failed=1
fi
exit $failed
