#ifndef WEIR_CXML_SHIM_H
#define WEIR_CXML_SHIM_H
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/xmlerror.h>
#endif
