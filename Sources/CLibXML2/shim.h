// libxml2's SAX interfaces for XML and HTML.
#ifndef WEIR_CLIBXML2_SHIM_H
#define WEIR_CLIBXML2_SHIM_H
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>

#endif
