// The Public Suffix List, as libpsl carries it. libcurl links it already where it knows of cookies.
#include <libpsl.h>
