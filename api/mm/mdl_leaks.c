/* mdl_leaks.c - MDLs that a driver has left, by the worst that each still does:
 * locked pages, a mapping, pages of its own, or being there. */
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/mm/mdl.h"

static enum leak kind_of(const struct mdl *mdl)
{
    return mdl->locked != 0   ? LEAK_LOCKED_PAGES
           : mdl->mapped      ? LEAK_MDL_MAPPING
           : mdl->holds_pages ? LEAK_MDL_PAGES
                              : LEAK_MDL;
}

static void list(const struct kernel *kernel,
    const struct leak_listing *listing, enum leak leak, const char *text)
{
    for (const struct mdl *mdl = kernel->mdls->first; mdl != NULL;
         mdl = mdl->next) {
        if (mdl->owner == listing->driver && kind_of(mdl) == leak &&
            (leak != LEAK_MDL || mdl->kind != MDL_OF_DRIVER)) {
            leaks_found(listing, leak, text, mdl->step);
        }
    }
}

static void report(struct kernel *kernel, struct cpu *cpu,
    const struct driver *driver, enum leak leak, enum rule rule)
{
    for (struct mdl *mdl = kernel->mdls->first; mdl != NULL; mdl = mdl->next) {
        if (mdl->owner == driver && kind_of(mdl) == leak &&
            (leak != LEAK_MDL || mdl->kind != MDL_OF_DRIVER) &&
            leaks_is_news(&mdl->reported)) {
            rule_warn_at(kernel, cpu, rule, ROUTINE_COUNT, mdl->place);
        }
    }
}

static void list_mdls(struct kernel *kernel, const struct leak_listing *listing)
{
    list(kernel, listing, LEAK_MDL, "MDL");
}

static void report_mdls(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    report(kernel, cpu, driver, LEAK_MDL, RULE_LEAK_MDL);
}

static void list_mappings(
    struct kernel *kernel, const struct leak_listing *listing)
{
    list(kernel, listing, LEAK_MDL_MAPPING, "mapping of an MDL");
}

static void report_mappings(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    report(kernel, cpu, driver, LEAK_MDL_MAPPING, RULE_LEAK_MDL_MAPPING);
}

static void list_locks(
    struct kernel *kernel, const struct leak_listing *listing)
{
    list(kernel, listing, LEAK_LOCKED_PAGES, "pages locked by an MDL");
}

static void report_locks(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    report(kernel, cpu, driver, LEAK_LOCKED_PAGES, RULE_LEAK_LOCKED_PAGES);
}

static void list_pages(
    struct kernel *kernel, const struct leak_listing *listing)
{
    list(kernel, listing, LEAK_MDL_PAGES, "pages of an MDL");
}

static void report_pages(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    report(kernel, cpu, driver, LEAK_MDL_PAGES, RULE_LEAK_MDL_PAGES);
}

const struct leak_source mdl_leaks = {LEAK_MDL, list_mdls, report_mdls, NULL};
const struct leak_source mdl_mapping_leaks = {
    LEAK_MDL_MAPPING, list_mappings, report_mappings, NULL};
const struct leak_source mdl_lock_leaks = {
    LEAK_LOCKED_PAGES, list_locks, report_locks, NULL};
const struct leak_source mdl_page_leaks = {
    LEAK_MDL_PAGES, list_pages, report_pages, NULL};
