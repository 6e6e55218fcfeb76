/* hidden_code.c - by the general categories of Unicode: Cc, Cf, Zl and Zp. */
#include "api/text/hidden_code.h"

#include <unictype.h>

bool code_is_hidden(uint32_t code)
{
    return uc_is_general_category_withtable(
        code, UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Zl |
                  UC_CATEGORY_MASK_Zp);
}
