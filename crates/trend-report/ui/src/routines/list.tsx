/** All routines: the arrow keys choose the one that the charts are of, Enter opens its source. */

import { useMemo } from 'preact/hooks';

import { ownPowerLaw } from '../data/models';
import type { Model } from '../data/types';
import * as number from '../format/number';
import { capitalized } from '../format/text';
import { growthColumn } from '../listing/columns';
import { href, setParams } from '../state/route';
import { page } from '../state/store';
import { givenText, target } from '../state/target';
import { numbers, type Column } from '../table/column';
import { Grid } from '../table/grid';
import type { Chip, Filter } from '../table/narrow';
import { Exponent, Name } from '../view/parts';
import { isSelf, isWide, oneCost, withContexts } from './choices';
import { costAt, sharesOf, type Entry } from './places';

/** A routine with what its columns need. */
interface Listed extends Entry {
  model: Model | undefined;
  share: number | null;
}

/** What aprof-plot's authors took for a fit to be worth a look. */
const ENOUGH_SIZES = 10;
const GOOD_R2 = 0.92;
const LEAST_COEFFICIENT = 0.01;

interface ListProps {
  entries: readonly Entry[];
  chosen: Entry;
  choose: (id: string, step: 'push' | 'replace') => void;
}

export function List({ entries, chosen, choose }: ListProps) {
  const rows = useMemo((): Listed[] => {
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
      href={({ extra }) => (extra.file === '' ? null : href('source', extra.file, { line: extra.line }))}
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
        <>
          <button
            type="button"
            aria-pressed={isWide.value}
            title="all columns, over the whole width: sizes, input, richness, …"
            onClick={() => setParams({ wide: isWide.value ? null : 1 }, 'push')}
          >
            Wide
          </button>
        </>
      }
    />
  );
}

/** The first four have room beside a routine; a wide list shows all that the study knows. */
function columnsOf(rows: readonly Listed[]): Column<Listed>[] {
  const words = rows[0] ? page.value.wordsOf(rows[0].row) : { place: '', execution: '' };
  const of = isSelf.value ? `without what the ${words.place} called` : `with what the ${words.place} called`;
  const then = costAt(page.value, target.value) !== null && !isSelf.value;
  // What no profiler of the study told has no column.
  const known = (
    key: string,
    title: string,
    value: (e: Listed) => number | null | undefined,
    show: (value: number) => string,
    hint: string,
  ) =>
    rows.some((e) => typeof value(e) === 'number')
      ? [numbers(key, title, value, show, { hint, width: 4.4, priority: 4 })]
      : [];
  return [
    {
      key: 'name',
      title: capitalized(words.place),
      value: ({ row }) => row.name,
      render: ({ row }) => (
        <span class={row.context === undefined ? 'ellipsis' : 'two-lines'}>
          <Name text={row.name} columns={60} />
          {row.context !== undefined && (
            <span class="soft">
              in <Name text={row.context} columns={80} />
            </span>
          )}
        </span>
      ),
      width: 6,
      grow: 1,
      priority: 0,
    },
    {
      ...growthColumn((e: Listed) => e.model, isWide.value ? 8.5 : 4.9),
      title: 'Growth',
      hint: 'in its own input',
      priority: 1,
    },
    numbers('share', 'Share', (e) => e.share, number.share, {
      hint: `of the program, ${of}${then ? `, at ${givenText()}` : ', in what was run'}`,
      width: 3.6,
      priority: 2,
    }),
    numbers('calls', capitalized(`${words.execution}s`), ({ row }) => row.count, number.cost, {
      width: 3.1,
      priority: 3,
    }),
    ...known('cumulative', 'Cost', ({ row }) => row.share, number.share, 'of the program, in what was run'),
    ...known('self', 'Self', ({ row }) => row.self_share, number.share, 'the same without what was called'),
    ...known('callshare', 'Calls %', ({ row }) => row.count_share, number.share, 'of all calls'),
    ...known('sizes', 'Sizes', ({ row }) => row.sizes, String, 'how many different input sizes: the tuples'),
    ...known('volume', 'Input', ({ extra }) => extra.volume, number.cost, 'what all calls read, in cells'),
    ...known(
      'dynamic',
      'Dynamic',
      ({ extra }) => extra.dynamic,
      number.share,
      'dynamic input volume: the part of its input that drms sees and rms does not',
    ),
    ...known(
      'richness',
      'Richness',
      ({ extra }) => extra.richness,
      (v) => number.significant(v, 2),
      'profile richness: sizes by drms ÷ sizes by rms, less 1',
    ),
    ...known(
      'thread',
      '%thread',
      ({ row }) => row.thread_input,
      number.share,
      'of its input, from other threads',
    ),
    ...known(
      'syscall',
      '%syscall',
      ({ row }) => row.kernel_input,
      number.share,
      'of its input, from the kernel',
    ),
    EXPONENT,
    ...known(
      'r2',
      'R²',
      (e) => offset(e)?.r2,
      number.r2,
      'of a + b·n^c by least squares, aprof-plot’s model',
    ),
    ...known(
      'c',
      'c',
      (e) => (offset(e)?.b ? offset(e)?.c : null),
      (c) => number.exponent(c, null),
      'of a + b·n^c',
    ),
    ...known(
      'b',
      'b',
      (e) => offset(e)?.b,
      (b) => number.significant(b, 3),
      'of a + b·n^c',
    ),
    { key: 'binary', title: 'Object', value: ({ row }) => row.object, width: 7, priority: 5 },
  ];
}

/** Of the power law, with its interval. */
const EXPONENT: Column<Listed> = {
  key: 'exponent',
  title: 'Exponent',
  hint: 'of the power law, with its interval',
  numeric: true,
  width: 8,
  priority: 4,
  value: (e) => ownPowerLaw(e.model)?.b ?? null,
  render: (e) => <Exponent law={ownPowerLaw(e.model)} />,
};

/** aprof-plot's model of the cost that is looked at. */
function offset({ row }: Listed) {
  return row[isSelf.value ? 'own' : (oneCost.value ?? 'worst')]?.offset_power;
}

const FILTERS: Filter<Listed>[] = [
  { key: 'binary', label: 'object', kind: 'text', value: ({ row }) => row.object },
  { key: 'mincost', label: 'cost %', kind: 'range', percent: true, value: ({ row }) => row.share },
  { key: 'mincalls', label: 'calls %', kind: 'range', percent: true, value: ({ row }) => row.count_share },
  {
    key: 'minsizes',
    label: 'sizes',
    hint: 'such as 11: more than 10',
    kind: 'range',
    value: ({ row }) => row.sizes,
  },
  { key: 'minr2', label: 'R²', hint: 'such as 0.92', kind: 'range', value: (e) => offset(e)?.r2 ?? null },
  { key: 'minb', label: 'b', hint: 'of a + b·n^c', kind: 'range', value: (e) => offset(e)?.b ?? null },
  { key: 'exp', label: 'exponent', kind: 'range', value: ({ model }) => ownPowerLaw(model)?.b ?? null },
];

const CHIPS: Chip<Listed>[] = [
  {
    key: 'fitted',
    label: 'well fitted',
    hint: `more than ${ENOUGH_SIZES} sizes, R² > ${GOOD_R2}, b > ${LEAST_COEFFICIENT}`,
    keeps: (e) =>
      e.row.sizes > ENOUGH_SIZES && (offset(e)?.r2 ?? 0) > GOOD_R2 && (offset(e)?.b ?? 0) > LEAST_COEFFICIENT,
  },
  { key: 'superlinear', label: 'superlinear', keeps: ({ model }) => model?.growth?.superlinear === true },
  { key: 'undecided', label: 'undecided', keeps: ({ model }) => model?.growth?.decided === false },
];
