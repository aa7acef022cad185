#ifndef WEIR_CXML_SHIM_H
#define WEIR_CXML_SHIM_H
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/xmlerror.h>
#include <libxml/tree.h>
#include <libxml/xmlschemas.h>
#include <libxml/schemasInternals.h>
#endif
