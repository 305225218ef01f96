// The calls of RE2 that Weir needs, for C and Swift. Only CRE2.cpp includes <re2/re2.h>.
// https://github.com/google/re2/blob/2022-06-01/re2/re2.h
#ifndef WEIR_CRE2_H
#define WEIR_CRE2_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern. Any number of threads may match with it at once.
typedef struct weir_re2 weir_re2;

/// Why a pattern was not compiled. RE2's own numbers differ between its versions.
enum {
  weir_re2_other = 1,
  weir_re2_escape = 2,
  weir_re2_range = 3,
  weir_re2_bracket = 4,
  weir_re2_parenthesis = 5,
  weir_re2_repetition = 6,
  weir_re2_group = 7,
  weir_re2_encoding = 8,
  weir_re2_size = 9
};

/// Compiles a pattern of UTF-8 that ignores case, unless it says otherwise (`(?-i)`).
/// - Parameters:
///   - memory: bytes that the pattern and its automata may take.
///   - program: instructions that it may have.
///   - code: why it was not compiled.
///   - offset: where in the pattern, in bytes; -1 where RE2 does not say it.
/// - Returns: NULL where it was not compiled.
weir_re2 *weir_re2_compile(
    const char *pattern, size_t length, int64_t memory, int program, int *code, int64_t *offset);
void weir_re2_free(weir_re2 *pattern);

/// Whether the pattern matches anywhere in the text. Linear in the length of the text, which may be
/// NULL where the length is 0.
int weir_re2_matches(const weir_re2 *pattern, const char *text, size_t length);

/// The leftmost match that begins at `start` or later, in bytes of the text.
/// - Returns: 0 where there is none.
int weir_re2_find(
    const weir_re2 *pattern, const char *text, size_t length, size_t start, size_t *from,
    size_t *to);

/// Patterns that are looked for at once, in one pass over a text. Any number of threads may match
/// with it at once.
typedef struct weir_re2_set weir_re2_set;

/// - Parameter memory: bytes that the patterns and their automaton may take.
weir_re2_set *weir_re2_set_new(int64_t memory);
/// Adds a pattern, as `weir_re2_compile` takes it. The first has the number 0.
/// - Returns: 0 where it cannot be added.
int weir_re2_set_add(weir_re2_set *set, const char *pattern, size_t length);
/// To be called once, behind the last pattern.
/// - Returns: 0 where the patterns do not fit into the memory.
int weir_re2_set_compile(weir_re2_set *set);
void weir_re2_set_free(weir_re2_set *set);

/// Calls `found` with the number of each pattern that matches anywhere in the text.
/// - Returns: 0 where the automaton does not fit into the memory: then nothing is known.
int weir_re2_set_match(
    const weir_re2_set *set, const char *text, size_t length, void *context,
    void (*found)(void *context, int number));

#ifdef __cplusplus
}
#endif

#endif
