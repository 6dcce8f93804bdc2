/* Creates a table of n rows in memory and runs one query on it: `count`, `sort` or `join`. */
#include <stdio.h>
#include <string.h>

#include "sqlite3.h"

static int rows;

static int row(void *unused, int columns, char **values, char **names) {
    rows++;
    return 0;
}

int main(int argc, char **argv) {
    sqlite3 *db;
    char sql[800];
    const char *query;
    if (argc != 3 || sqlite3_open(":memory:", &db) != SQLITE_OK) return 2;
    /* Keys begin at a million, so that they are of one length: else the cost of a row would grow with their logarithm.
     * The cache is large enough that the sorter never spills, which would end its n log n. 48271 is a generator of the
     * group modulo 2^31 - 1, so the values are distinct and unordered. */
    snprintf(sql, sizeof sql,
             "PRAGMA automatic_index = off; PRAGMA cache_size = -1000000;"
             "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER);"
             "WITH RECURSIVE c(i, x) AS (SELECT 1, 48271 UNION ALL SELECT i + 1, x * 48271 %% 2147483647 FROM c WHERE i < %s)"
             "INSERT INTO t SELECT i + 1000000, x, i + 1000000 FROM c;", argv[2]);
    if (strcmp(argv[1], "count") == 0) query = "SELECT count(*), sum(b) FROM t WHERE a % 3 = 1";
    else if (strcmp(argv[1], "sort") == 0) query = "SELECT a FROM t ORDER BY a";
    else query = "SELECT count(*) FROM t AS x JOIN t AS y ON x.a = y.b";
    if (sqlite3_exec(db, sql, 0, 0, 0) != SQLITE_OK || sqlite3_exec(db, query, row, 0, 0) != SQLITE_OK) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        return 1;
    }
    printf("%d rows\n", rows);
    return sqlite3_close(db) != SQLITE_OK;
}
