/* SPDX-License-Identifier: Apache-2.0
 *
 * DIMACS files of clauses (clauses.h).
 */
#include <inttypes.h>
#include <stdbool.h>

#include "apps/graphs/scan.h"
#include "apps/nested/programs/clauses.h"

#define P_FORM "p cnf VARIABLES CLAUSES"

struct reader {
    struct cb_scan scan;
    struct cb_clauses *clauses;
    struct cb_err *err;
    uint64_t p_line;   /* 0: not seen yet */
    uint64_t sizes[2]; /* variables, clauses */
    uint64_t read;     /* clauses that have ended */
    /* The clause that has begun: */
    uint64_t line;
    bool has_begun, is_satisfied; /* whatever its variables are */
    uint32_t n, literals[CB_CLAUSE_MOST_LITERALS];
};

static enum cb_status read_problem(struct reader *r)
{
    static const struct cb_scan_range sizes[] = {{"variables", 1, CB_CLAUSES_MOST_VARIABLES},
                                                 {"clauses", 0, CB_CLAUSES_MOST}};
    if (r->p_line)
        return cb_scan_wrong_line(&r->scan, "second p line: expected only the one on line %" PRIu64,
                                  r->p_line);
    if (!cb_scan_skip_word(&r->scan, "cnf"))
        return cb_scan_wrong_line(&r->scan, "no clauses: expected \"" P_FORM "\"");
    r->p_line = r->scan.line_number;
    r->clauses->variables = 0;
    enum cb_status status = cb_scan_line(&r->scan, P_FORM, sizes, 2, r->sizes);
    r->clauses->variables = status == CB_OK ? (uint32_t)r->sizes[0] : 0;
    return status;
}

static enum cb_status end_clause(struct reader *r)
{
    const bool has_begun = r->has_begun;
    r->has_begun = false;
    r->read++;
    if (!has_begun)
        return cb_scan_wrong(&r->scan, "a clause without literals, which nothing satisfies");
    if (r->is_satisfied)
        return CB_OK;
    enum cb_status status = cb_clauses_add(r->clauses, r->literals, r->n, r->err);
    return status == CB_OK ? CB_OK : cb_context(r->err, "%s", r->scan.input->path);
}

/* The clause that begins here, or has. */
static enum cb_status begin_clause(struct reader *r)
{
    if (r->has_begun)
        return CB_OK;
    if (r->read == r->sizes[1])
        return cb_scan_wrong_line(&r->scan,
                                  "too many clauses: expected %" PRIu64 " as line %" PRIu64 " says",
                                  r->sizes[1], r->p_line);
    r->line = r->scan.line_number;
    r->n = 0;
    r->is_satisfied = false;
    return CB_OK;
}

static enum cb_status add_literal(struct reader *r, uint32_t literal)
{
    uint32_t i = 0;
    r->has_begun = true;
    while (i < r->n && r->literals[i] >> 1 != literal >> 1)
        i++;
    if (i < r->n) {
        r->is_satisfied |= r->literals[i] != literal;
        return CB_OK;
    }
    if (r->n == CB_CLAUSE_MOST_LITERALS)
        return cb_scan_wrong(&r->scan,
                             "the clause that begins on line %" PRIu64 " has more than %u literals",
                             r->line, CB_CLAUSE_MOST_LITERALS);
    r->literals[r->n++] = literal;
    return CB_OK;
}

/* A variable, with a minus sign if it is negated; or 0. */
static enum cb_status read_literal(struct reader *r)
{
    struct cb_graph_input *input = r->scan.input;
    const bool negated = *input->at == '-' && input->at[1] >= '0' && input->at[1] <= '9';
    const struct cb_scan_range range = {negated ? "negated variable" : "variable or 0", negated,
                                        r->sizes[0]};
    uint64_t variable;
    enum cb_status status = begin_clause(r);
    if (status != CB_OK)
        return status;
    input->at += negated;
    status = cb_scan_number(&r->scan, &range, &variable);
    if (status != CB_OK)
        return status;
    return variable == 0 ? end_clause(r)
                         : add_literal(r, (uint32_t)(variable - 1) << 1 | (uint32_t)negated);
}

static enum cb_status read_line(struct reader *r)
{
    enum cb_status status = CB_OK;
    if (cb_scan_peek(&r->scan) == 'c')
        return CB_OK;
    if (cb_scan_skip_word(&r->scan, "p"))
        return read_problem(r);
    if (cb_scan_peek(&r->scan) != '\n' && !r->p_line)
        return cb_scan_wrong_line(&r->scan, "expected \"" P_FORM "\" first");
    while (status == CB_OK && cb_scan_peek(&r->scan) != '\n')
        status = read_literal(r);
    return status;
}

/* Whether all that was announced is there. */
static enum cb_status check_end(struct reader *r)
{
    if (!r->p_line)
        return cb_scan_wrong(&r->scan,
                             "no p line: expected \"" P_FORM "\", got the end of the file");
    if (r->has_begun)
        return cb_scan_wrong(&r->scan,
                             "the clause that begins on line %" PRIu64 " does not end: expected 0",
                             r->line);
    if (r->read < r->sizes[1])
        return cb_scan_wrong(&r->scan,
                             "too few clauses: expected %" PRIu64 " as line %" PRIu64
                             " says, got the end of the file after %" PRIu64,
                             r->sizes[1], r->p_line, r->read);
    return r->scan.input->status;
}

enum cb_status cb_clauses_load(const char *path, struct cb_clauses *clauses, struct cb_err *err)
{
    struct cb_graph_input input;
    *clauses = (struct cb_clauses){0};
    enum cb_status status = cb_graph_input_open(&input, path, err);
    struct reader r = {.scan = {.input = &input}, .clauses = clauses, .err = err};
    while (status == CB_OK && cb_scan_next_line(&r.scan) && cb_scan_peek(&r.scan) != '%')
        status = read_line(&r);
    if (status == CB_OK)
        status = check_end(&r);
    cb_graph_input_close(&input);
    return status;
}
