// Typed inline wrappers of libcurl's variadic functions, which Swift cannot call: one for each kind
// of argument. Other functions belong here only if they depend on the library's version.
#ifndef WEIR_CCURL_SHIM_H
#define WEIR_CCURL_SHIM_H
#include <curl/curl.h>

// libcurl's type-checking macros would hide the functions behind the wrappers.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static inline CURLcode weir_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode weir_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode weir_curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode weir_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode weir_curl_set_list(CURL *handle, CURLoption option,
                                          struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode weir_curl_set_write(CURL *handle, CURLoption option,
                                           curl_write_callback function) {
  return curl_easy_setopt(handle, option, function);
}

static inline CURLcode weir_curl_set_progress(CURL *handle, curl_xferinfo_callback function) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode weir_curl_set_debug(CURL *handle, curl_debug_callback function) {
  return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, function);
}

static inline CURLcode weir_curl_set_open_socket(CURL *handle,
                                                 curl_opensocket_callback function) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode weir_curl_set_before_request(CURL *handle, curl_prereq_callback function) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode weir_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode weir_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode weir_curl_get_string(CURL *handle, CURLINFO info, char **value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode weir_curl_get_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode weir_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
  return curl_multi_setopt(handle, option, value);
}

static inline CURLMcode weir_curl_multi_set_pointer(CURLM *handle, CURLMoption option,
                                                    void *value) {
  return curl_multi_setopt(handle, option, value);
}

static inline CURLMcode weir_curl_multi_set_socket(CURLM *handle, curl_socket_callback function) {
  return curl_multi_setopt(handle, CURLMOPT_SOCKETFUNCTION, function);
}

// Passes CURL_SOCKET_TIMEOUT, a macro that Swift cannot import.
static inline CURLMcode weir_curl_multi_run_timers(CURLM *handle, int *running) {
  return curl_multi_socket_action(handle, CURL_SOCKET_TIMEOUT, 0, running);
}

// Runs every transfer and reports its sockets again. libcurl deprecates the function for use in
// each iteration of a loop.
static inline CURLMcode weir_curl_multi_run_all(CURLM *handle, int *running) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return curl_multi_socket_all(handle, running);
#pragma GCC diagnostic pop
}

static inline CURLcode weir_curl_global_init(void) {
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static const unsigned long weir_curl_basic = CURLAUTH_BASIC;
static const unsigned long weir_curl_digest = CURLAUTH_DIGEST;

static inline CURLcode weir_curl_set_authentication(CURL *handle, unsigned long schemes) {
  return curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)schemes);
}

// Returns the result of a finished transfer, which is in a union.
static inline CURLcode weir_curl_result(const CURLMsg *message) { return message->data.result; }

// Allows http and https only, whatever the library supports (the option has two forms).
static inline CURLcode weir_curl_allow_only_http(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Lets a cancelled transfer end without waiting for its name lookup (libcurl 7.87.0 and later).
static inline CURLcode weir_curl_abandon_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)handle;
  return CURLE_OK;
#endif
}

// Returns the path of the certificates that the library was built with, or NULL if it has none.
static inline const char *weir_curl_default_ca_file(void) {
#if LIBCURL_VERSION_NUM >= 0x074600
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info->age >= CURLVERSION_SEVENTH ? info->cainfo : NULL;
#else
  return NULL;
#endif
}

#endif
