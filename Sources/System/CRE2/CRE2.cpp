#include "CRE2.h"

#include <new>
#include <string>
#include <vector>

#include <re2/re2.h>
#include <re2/set.h>

struct weir_re2 {
  re2::RE2 pattern;
  weir_re2(const re2::StringPiece &source, const re2::RE2::Options &options)
      : pattern(source, options) {}
};

static int code_of(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::ErrorBadEscape:
    case re2::RE2::ErrorTrailingBackslash:
      return weir_re2_escape;
    case re2::RE2::ErrorBadCharClass:
    case re2::RE2::ErrorBadCharRange:
      return weir_re2_range;
    case re2::RE2::ErrorMissingBracket:
      return weir_re2_bracket;
    case re2::RE2::ErrorMissingParen:
    case re2::RE2::ErrorUnexpectedParen:
      return weir_re2_parenthesis;
    case re2::RE2::ErrorRepeatArgument:
    case re2::RE2::ErrorRepeatSize:
    case re2::RE2::ErrorRepeatOp:
      return weir_re2_repetition;
    case re2::RE2::ErrorBadPerlOp:
    case re2::RE2::ErrorBadNamedCapture:
      return weir_re2_group;
    case re2::RE2::ErrorBadUTF8:
      return weir_re2_encoding;
    case re2::RE2::ErrorPatternTooLarge:
      return weir_re2_size;
    default:
      return weir_re2_other;
  }
}

static re2::RE2::Options options_with(int64_t memory) {
  re2::RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  options.set_max_mem(memory);
  return options;
}

weir_re2 *weir_re2_compile(
    const char *pattern, size_t length, int64_t memory, int program, int *code, int64_t *offset) {
  *code = 0;
  *offset = -1;
  weir_re2 *compiled =
      new (std::nothrow) weir_re2(re2::StringPiece(pattern, length), options_with(memory));
  if (!compiled) {
    *code = weir_re2_other;
    return nullptr;
  }
  if (!compiled->pattern.ok()) {
    *code = code_of(compiled->pattern.error_code());
    // RE2 returns the wrong part of the pattern, but not its position.
    const std::string part(compiled->pattern.error_arg());
    const size_t place = std::string(pattern, length).find(part);
    if (!part.empty() && place != std::string::npos) *offset = static_cast<int64_t>(place);
  } else if (compiled->pattern.ProgramSize() > program) {
    *code = weir_re2_size;
  }
  if (*code == 0) return compiled;
  delete compiled;
  return nullptr;
}

void weir_re2_free(weir_re2 *pattern) { delete pattern; }

int weir_re2_matches(const weir_re2 *pattern, const char *text, size_t length) {
  return pattern->pattern.Match(
      re2::StringPiece(text, length), 0, length, re2::RE2::UNANCHORED, nullptr, 0);
}

int weir_re2_find(
    const weir_re2 *pattern, const char *text, size_t length, size_t start, size_t *from,
    size_t *to) {
  const re2::StringPiece whole(text, length);
  re2::StringPiece found;
  if (!pattern->pattern.Match(whole, start, length, re2::RE2::UNANCHORED, &found, 1)) return 0;
  *from = static_cast<size_t>(found.data() - text);
  *to = *from + found.size();
  return 1;
}

struct weir_re2_set {
  re2::RE2::Set patterns;
  explicit weir_re2_set(const re2::RE2::Options &options)
      : patterns(options, re2::RE2::UNANCHORED) {}
};

weir_re2_set *weir_re2_set_new(int64_t memory) {
  return new (std::nothrow) weir_re2_set(options_with(memory));
}

int weir_re2_set_add(weir_re2_set *set, const char *pattern, size_t length) {
  return set->patterns.Add(re2::StringPiece(pattern, length), nullptr) >= 0;
}

int weir_re2_set_compile(weir_re2_set *set) { return set->patterns.Compile(); }

void weir_re2_set_free(weir_re2_set *set) { delete set; }

int weir_re2_set_match(
    const weir_re2_set *set, const char *text, size_t length, void *context,
    void (*found)(void *context, int number)) {
  std::vector<int> numbers;
  re2::RE2::Set::ErrorInfo error{re2::RE2::Set::kNoError};
  if (!set->patterns.Match(re2::StringPiece(text, length), &numbers, &error))
    return error.kind == re2::RE2::Set::kNoError;
  for (int number : numbers) found(context, number);
  return 1;
}
