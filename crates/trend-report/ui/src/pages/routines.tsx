/** Input-sensitive profiles: which routine grows how with the size of its own input. */

import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { seriesId } from '../data/page';
import { lawOf, type LawLine } from '../data/line';
import { ownPowerLaw } from '../data/models';
import type { Model, Observation, SeriesModel, SeriesRow } from '../data/types';
import * as number from '../format/number';
import { capitalized } from '../format/text';
import { exponentColumn, growthColumn } from '../listing/columns';
import { exponentScale } from '../listing/interval-cell';
import { Mini } from '../plot/mini';
import { COSTS, cost } from '../routines/controls';
import { href, param, setParams } from '../state/route';
import { page } from '../state/store';
import { numbers, type Column } from '../table/column';
import { Grid } from '../table/grid';
import type { Chip, Filter } from '../table/narrow';
import { RowLink } from '../table/row';
import { Name } from '../view/parts';

/** A routine with what its columns need. */
interface Entry {
  row: SeriesRow;
  model: Model | undefined;
  offset: SeriesModel['offset_power'];
  x: number[];
  y: number[];
  law: LawLine | null;
}

/** What aprof-plot's authors took for a fit to be worth a look. */
const ENOUGH_SIZES = 10;
const GOOD_R2 = 0.92;
const LEAST_COEFFICIENT = 0.01;

const contextsParam = param('contexts');
const withContexts = computed(() => contextsParam.value === '1');

export function Routines() {
  const data = page.value;
  const which = cost.value;
  const entries = useMemo(() => entriesOf(which), [data, which]);
  const columns = useMemo(() => columnsOf(entries), [entries]);
  if (entries.length === 0) {
    return (
      <>
        <h1>Routines</h1>
        <p>
          This study has no input-sensitive profiles. <code>trend-prof import aprof</code> adds those of
          aprof.
        </p>
      </>
    );
  }
  return (
    <>
      <header class="page-head wrap">
        <h1>{data.seriesTitle}</h1>
        <p class="soft">Each by the size of its own input, as the profiler measured it.</p>
        <span role="group" aria-label="cost that the fits are of">
          {COSTS.map((c) => (
            <button
              key={c}
              type="button"
              aria-pressed={which === c}
              onClick={() => setParams({ cost: c === 'worst' ? null : c }, 'push')}
            >
              {c} cost
            </button>
          ))}
        </span>
        {entries.some((e) => e.row.context !== undefined) && (
          <button
            type="button"
            aria-pressed={withContexts.value}
            onClick={() => setParams({ contexts: withContexts.value ? null : '1' }, 'push')}
          >
            calling contexts
          </button>
        )}
      </header>
      <Grid
        name="routines"
        noun={data.seriesNoun}
        rows={withContexts.value ? entries : entries.filter((e) => e.row.context === undefined)}
        columns={columns}
        id={(e) => seriesId(e.row)}
        href={(e) => href('routine', seriesId(e.row), { cost: which === 'worst' ? null : which })}
        search={(e) => `${e.row.name} ${e.row.object} ${e.row.context ?? ''}`}
        defaultSort="-cumulative"
        filters={FILTERS}
        chips={CHIPS}
        rowHeight={2.6}
      />
    </>
  );
}

function entriesOf(which: (typeof COSTS)[number]): Entry[] {
  const { findings, data } = page.value;
  const rows = findings.series ?? [];
  return rows.map((row, i) => {
    const tuples = data.series[i]?.observations ?? [];
    const model = row[which].models[0];
    return {
      row,
      model,
      offset: row[which].offset_power,
      x: tuples.map((t) => t[0]),
      y: tuples.map((t) => costOf(t, which)),
      law: model ? lawOf(model, data.series[i]?.[which][0], null) : null,
    };
  });
}

function costOf([, calls, min, max, sum]: Observation, which: (typeof COSTS)[number]): number {
  return which === 'worst' ? max : which === 'best' ? min : sum / Math.max(calls, 1);
}

/** The last two are there where the profile says where input came from. */
function columnsOf(entries: readonly Entry[]): Column<Entry>[] {
  const places = page.value.seriesTitle;
  const words = entries[0] ? page.value.wordsOf(entries[0].row) : { place: '', execution: '' };
  const hasInput = entries.some((e) => e.row.thread_input !== undefined);
  const columns: Column<Entry>[] = [
    {
      key: 'name',
      title: places,
      value: (e) => e.row.name,
      render: (e) => (
        <>
          <RowLink href={href('routine', seriesId(e.row))}>
            <Name text={e.row.name} columns={70} />
          </RowLink>
          {e.row.context && (
            <span class="soft">
              {' '}
              in <Name text={e.row.context} columns={50} />
            </span>
          )}
        </>
      ),
      width: 12,
      grow: 3,
      priority: 0,
    },
    {
      key: 'binary',
      title: 'Binary',
      value: (e) => e.row.object,
      render: (e) => <Name text={e.row.object} columns={24} />,
      width: 7,
      grow: 1,
      priority: 8,
    },
    numbers('cumulative', 'Cost', (e) => e.row.share, number.share, {
      hint: `of the program, with what the ${words.place} called`,
      width: 5.5,
      priority: 1,
    }),
    numbers('self', 'Self cost', (e) => e.row.self_share, number.share, {
      hint: `of the program, without what the ${words.place} called; – where the profile does not say`,
      width: 4.5,
      priority: 5,
    }),
    numbers('calls', capitalized(`${words.execution}s`), (e) => e.row.count, number.cost, {
      width: 4.5,
      priority: 6,
    }),
    numbers('callshare', capitalized(`${words.execution}s %`), (e) => e.row.count_share, number.share, {
      width: 4.5,
      priority: 9,
    }),
    numbers('sizes', 'Sizes', (e) => e.row.sizes, String, {
      hint: 'how many different input sizes: the tuples',
      width: 4,
      priority: 4,
    }),
    {
      key: 'plot',
      title: 'Plot',
      value: () => null,
      sort: null,
      drawn: true,
      render: (e) => <Mini x={e.x} y={e.y} law={e.law} label="" />,
      width: 6.5,
      priority: 3,
    },
    growthColumn((e) => e.model, 7),
    exponentColumn((e) => ownPowerLaw(e.model), exponentScale(entries.map((e) => ownPowerLaw(e.model))), 8),
    numbers('r2', 'R²', (e) => e.offset?.r2, number.r2, {
      hint: 'of a + b·n^c',
      width: 3.5,
      priority: 5,
    }),
    numbers(
      'c',
      'c',
      (e) => growing(e)?.c,
      (c) => number.exponent(c, null),
      {
        hint: 'of a + b·n^c by least squares, aprof-plot’s model',
        width: 5,
        priority: 7,
      },
    ),
    numbers(
      'b',
      'b',
      (e) => e.offset?.b,
      (b) => number.significant(b, 3),
      {
        hint: 'of a + b·n^c by least squares',
        width: 5,
        priority: 10,
      },
    ),
    numbers('thread', '%thread', (e) => e.row.thread_input, number.share, {
      hint: 'of its input, written by other threads',
      width: 5,
      priority: 11,
    }),
    numbers('syscall', '%syscall', (e) => e.row.kernel_input, number.share, {
      hint: 'of its input, written by the kernel',
      width: 5,
      priority: 12,
    }),
  ];
  return hasInput ? columns : columns.slice(0, -2);
}

/** aprof-plot's model, where it has a growing term: without one its exponent says nothing. */
function growing({ offset }: Entry) {
  return offset?.b ? offset : null;
}

const FILTERS: Filter<Entry>[] = [
  { key: 'binary', label: 'binary', kind: 'text', value: (e) => e.row.object },
  { key: 'mincost', label: 'cost %', kind: 'range', percent: true, value: (e) => e.row.share },
  { key: 'mincalls', label: 'calls %', kind: 'range', percent: true, value: (e) => e.row.count_share },
  {
    key: 'minsizes',
    label: 'sizes',
    hint: 'such as 11: more than 10',
    kind: 'range',
    value: (e) => e.row.sizes,
  },
  {
    key: 'minr2',
    label: 'R²',
    hint: 'such as 0.92',
    kind: 'range',
    value: (e) => e.offset?.r2 ?? null,
  },
  {
    key: 'minb',
    label: 'coefficient b',
    hint: 'of a + b·n^c',
    kind: 'range',
    value: (e) => e.offset?.b ?? null,
  },
  { key: 'exp', label: 'exponent', kind: 'range', value: (e) => ownPowerLaw(e.model)?.b ?? null },
];

const CHIPS: Chip<Entry>[] = [
  {
    key: 'fitted',
    label: 'well fitted',
    hint: `more than ${ENOUGH_SIZES} sizes, R² > ${GOOD_R2}, coefficient > ${LEAST_COEFFICIENT}`,
    keeps: ({ row, offset }) =>
      row.sizes > ENOUGH_SIZES && (offset?.r2 ?? 0) > GOOD_R2 && (offset?.b ?? 0) > LEAST_COEFFICIENT,
  },
  {
    key: 'superlinear',
    label: 'superlinear',
    keeps: ({ model }) => model?.growth?.superlinear === true,
  },
  { key: 'undecided', label: 'undecided', keeps: ({ model }) => model?.growth?.decided === false },
];
