// libxml2's SAX interfaces for XML and HTML.
#ifndef WEIR_CLIBXML2_SHIM_H
#define WEIR_CLIBXML2_SHIM_H

// --- XML ---------------------------------------------------------------------------------------
// Distributions build libxml2 with ICU, and its encoding.h then includes ICU's headers, which
// clash with the ICU inside Foundation wherever both are imported. Only the layout of the last
// fields of xmlCharEncodingHandler depends on it, and handlers are used through pointers alone.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>

#endif
