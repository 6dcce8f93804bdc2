/* Exercises many features of SQLite. */
#include <stdio.h>
#include "sqlite3.h"

static int rows(void *seen, int columns, char **values, char **names) {
  (void)columns, (void)values, (void)names;
  ++*(int *)seen;
  return 0;
}

int main(void) {
  static const char *const statements[] = {
    "create table word(id integer primary key, text text unique, length int)",
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 800) "
    "insert into word(text, length) select printf('%x-%d', i * 7919, i), i % 13 from n",
    "create index by_length on word(length)",
    "select length, count(*), group_concat(text) from word group by length having count(*) > 3 order by 2",
    "select a.text from word a join word b on a.length = b.length and a.id < b.id where b.text like '%1%'",
    "begin; delete from word where id % 3 = 0; rollback",
    "update word set length = length + 1 where text glob '*a*'",
    "select nothing from nowhere",
    "vacuum",
  };
  sqlite3 *database;
  int seen = 0;
  if (sqlite3_open(":memory:", &database) != SQLITE_OK)
    return 1;
  for (unsigned i = 0; i < sizeof statements / sizeof *statements; i++)
    sqlite3_exec(database, statements[i], rows, &seen, 0);
  sqlite3_close(database);
  printf("%d\n", seen);
  return 0;
}
