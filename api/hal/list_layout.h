/* list_layout.h - whose resource lists may have the layout of Windows 7. */
#ifndef API_HAL_LIST_LAYOUT_H
#define API_HAL_LIST_LAYOUT_H

struct kernel;

/* Reports a resource list, about to be read in the layout of Windows 10 1903,
 * of a driver that cannot know that layout (HAL-TYPE-06 [C]). */
void list_layout_check(struct kernel *kernel);

#endif
