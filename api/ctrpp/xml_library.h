/* xml_library.h - libxml2, loaded when somebody has XML to read or write: with
 * what it needs itself it takes longer to load than most commands take. */
#ifndef API_CTRPP_XML_LIBRARY_H
#define API_CTRPP_XML_LIBRARY_H

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlwriter.h>

struct xml_library {
#define XML_FUNCTION(name) __typeof__(name) *name;
#include "api/ctrpp/xml_library.def"
};

/* Its functions. Where it cannot be loaded the program ends, as it does where
 * any other library cannot. */
const struct xml_library *xml_library(void);

#endif
