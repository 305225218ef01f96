// The Public Suffix List from libpsl, which libcurl links already if it uses it for cookies.
#include <libpsl.h>
