/** Lists all routines: the arrow keys choose the routine whose charts are shown, Enter opens its source. */

import { useMemo } from 'preact/hooks';

import { isOpen, ownPowerLaw } from '../data/models';
import type { Model, SeriesRow } from '../data/types';
import * as number from '../format/number';
import { shorten } from '../format/text';
import { growthColumn } from '../listing/columns';
import { costAt, type Entry, isSelf, isWide, oneCost, sharesOf, withContexts } from './places';
import { givenText, href, page, target } from '../state/state';
import { type Column, column, numbers } from '../table/column';
import { Grid } from '../table/grid';
import type { Chip, Filter } from '../table/narrow';
import { Toggle } from '../view/choice';
import { Exponent, Name } from '../view/parts';

/** A routine with the values of its columns. */
interface ListRow extends Entry {
  model: Model | undefined;
  share: number | null;
}

/** Limits above which aprof-plot's authors consider a fit worth a look. */
const ENOUGH_SIZES = 10;
const GOOD_R2 = 0.92;
const LEAST_COEFFICIENT = 0.01;

interface ListProps {
  entries: readonly Entry[];
  chosen: Entry;
  choose: (id: string, step: 'push' | 'replace') => void;
}

export function List({ entries, chosen, choose }: ListProps) {
  const rows = useMemo((): ListRow[] => {
    const which = isSelf.value ? 'own' : (oneCost.value ?? 'worst');
    const shares = isSelf.value
      ? entries.map(({ row }) => row.self_share ?? null)
      : sharesOf(page.value, entries, target.value);
    const listed = entries.map((entry, i) => ({
      ...entry,
      model: entry.row[which]?.models[0],
      share: shares[i] ?? null,
    }));
    return withContexts.value ? listed : listed.filter(({ row }) => row.context === undefined);
  }, [entries, target.value, isSelf.value, oneCost.value, withContexts.value]);
  const columns = useMemo(() => columnsOf(rows), [rows, isWide.value]);
  return (
    <Grid
      name="routines"
      noun={page.value.seriesNoun}
      rows={rows}
      columns={columns}
      id={(e) => e.id}
      href={({ row }) => (row.file === '' ? null : href('source', row.file, { line: row.line }))}
      search={({ row }) => `${row.name} ${row.object} ${row.context ?? ''}`}
      defaultSort="-share"
      filters={FILTERS}
      chips={CHIPS}
      rowHeight={withContexts.value ? 2.8 : 2}
      selected={chosen.id}
      choose={(e, step) => choose(e.id, step)}
      maxHeight="var(--list-height)"
      allColumns={isWide.value}
      beside={
        <Toggle
          param="wide"
          on={isWide.value}
          text="Wide"
          title="all columns, over the whole width: sizes, input, richness, …"
        />
      }
    />
  );
}

/** Returns the columns. The first four fit next to a routine; a wide list shows everything the study knows. */
function columnsOf(rows: readonly ListRow[]): Column<ListRow>[] {
  const words = rows[0] ? page.value.wordsOf(rows[0].row) : { place: '', execution: '' };
  const of = isSelf.value ? 'without callees' : 'with callees';
  const then = costAt(page.value, target.value) !== null && !isSelf.value;
  const { share, cost, significant } = number;
  const two = (v: number) => significant(v, 2);
  const time = then ? `, at ${givenText()}` : ', in the runs';
  const first: Column<ListRow>[] = [
    column('name', words.place, [6, 0, 1], {
      value: ({ row }) => row.name,
      render: ({ row }) => (
        <span class="ellipsis who">
          <span>
            <Name text={row.name} columns={60} />
            {row.context !== undefined && <span class="place">in {shorten(row.context, 80)}</span>}
          </span>
        </span>
      ),
    }),
    {
      ...growthColumn((e: ListRow) => e.model, isWide.value ? 8.5 : 6.4),
      hint: 'in its own input',
      priority: 1,
    },
    numbers('share', 'share', `of the program, ${of}${time}`, [3.6, 2], (e) => e.share, share),
    numbers(
      'calls',
      `${words.execution}s`,
      `number of ${words.execution}s`,
      [3.1, 3],
      ({ row }) => row.count,
      cost,
    ),
  ];
  const recorded = (key: string, title: string, hint: string, field: Recorded, show: Show) =>
    numbers(key, title, hint, WIDE, ({ row }: ListRow) => row[field], show);
  const wide: Column<ListRow>[] = [
    recorded('cumulative', 'cost', 'of the program, in the runs', 'share', share),
    recorded('self', 'self', 'share without callees', 'self_share', share),
    recorded('callshare', 'calls %', 'of all calls', 'count_share', share),
    recorded('sizes', 'sizes', 'number of input sizes (tuples)', 'sizes', String),
    recorded('volume', 'input', 'cells read by all calls', 'volume', cost),
    recorded('dynamic', 'dynamic', 'share of its input that drms counts and rms does not', 'dynamic', share),
    recorded('richness', 'richness', 'sizes by drms ÷ sizes by rms, less 1', 'richness', two),
    recorded('thread', '%thread', 'of its input, from other threads', 'thread_input', share),
    recorded('syscall', '%syscall', 'of its input, from the kernel', 'kernel_input', share),
    EXPONENT,
    numbers('r2', 'R²', 'of aprof-plot’s a + b·n^c, by least squares', WIDE, (e) => offset(e)?.r2, number.r2),
    numbers('c', 'c', 'of a + b·n^c', WIDE, exponentOf, (c) => number.exponent(c, null)),
    numbers('b', 'b', 'of a + b·n^c', WIDE, (e) => offset(e)?.b, (b) => significant(b, 3)), // prettier-ignore
    { key: 'binary', title: 'object', value: ({ row }) => row.object, width: 7, priority: 5 },
  ];
  // Leaves out columns for which no profiler of the study recorded a value.
  const isTold = (column: Column<ListRow>) => rows.some((row) => column.value(row) !== null);
  return [...first, ...wide.filter((column) => column === EXPONENT || isTold(column))];
}

type Show = (value: number) => string;

/** Fields of a series that are numbers. */
type Recorded = keyof {
  [K in keyof SeriesRow as SeriesRow[K] extends number | null | undefined ? K : never]: K;
};

/** Width and priority of the columns that only a wide list has. */
const WIDE: [number, number] = [4.4, 4];

/** The exponent of the power law, with its interval. */
const EXPONENT: Column<ListRow> = column('exponent', 'exponent', [8, 4], {
  hint: 'of the power law, with its interval',
  numeric: true,
  value: (e) => ownPowerLaw(e.model)?.b ?? null,
  render: (e) => <Exponent law={ownPowerLaw(e.model)} />,
});

/** Returns aprof-plot's model of the cost that the reader chose. */
function offset({ row }: ListRow) {
  return row[isSelf.value ? 'own' : (oneCost.value ?? 'worst')]?.offset_power;
}

const exponentOf = (e: ListRow) => (offset(e)?.b ? offset(e)?.c : null);

const FILTERS: Filter<ListRow>[] = [
  { key: 'binary', label: 'object', kind: 'text', value: ({ row }) => row.object },
  { key: 'mincost', label: 'cost %', kind: 'range', percent: true, value: ({ row }) => row.share },
  { key: 'mincalls', label: 'calls %', kind: 'range', percent: true, value: ({ row }) => row.count_share },
  { key: 'minsizes', label: 'sizes', hint: 'such as 11', kind: 'range', value: ({ row }) => row.sizes },
  { key: 'minr2', label: 'R²', hint: 'such as 0.92', kind: 'range', value: (e) => offset(e)?.r2 ?? null },
  { key: 'minb', label: 'b', hint: 'of a + b·n^c', kind: 'range', value: (e) => offset(e)?.b ?? null },
  { key: 'exp', label: 'exponent', kind: 'range', value: ({ model }) => ownPowerLaw(model)?.b ?? null },
];

const CHIPS: Chip<ListRow>[] = [
  {
    key: 'fitted',
    label: 'well fitted',
    hint: `more than ${ENOUGH_SIZES} sizes, R² > ${GOOD_R2}, b > ${LEAST_COEFFICIENT}`,
    keeps: (e) =>
      e.row.sizes > ENOUGH_SIZES && (offset(e)?.r2 ?? 0) > GOOD_R2 && (offset(e)?.b ?? 0) > LEAST_COEFFICIENT,
  },
  { key: 'superlinear', label: 'superlinear', keeps: ({ model }) => model?.growth?.superlinear === true },
  { key: 'undecided', label: 'undecided', keeps: ({ model }) => isOpen(model?.growth) },
];
