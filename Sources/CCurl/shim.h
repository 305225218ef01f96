// libcurl for Swift: its easy interface is variadic, which Swift cannot call, so each kind of
// argument gets one typed inline wrapper.
#ifndef WEIR_CCURL_SHIM_H
#define WEIR_CCURL_SHIM_H
#include <curl/curl.h>

#endif
