/* object_security.h - the security descriptor of an object, which drivers set
 * and ask for. */
#ifndef API_SE_OBJECT_SECURITY_H
#define API_SE_OBJECT_SECURITY_H

struct counted_object;
struct descriptor_block;

/* What was set, or the default one (IO-10a). */
void object_security_read(
    const struct counted_object *object, struct descriptor_block *block);

#endif
