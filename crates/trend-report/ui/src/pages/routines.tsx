/** Input-sensitive profiles: which routine grows how with the size of its own input. */

import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { routineId } from '../data/page';
import type { CurvePoint, Model, SeriesModel, SeriesRow, Observation } from '../data/types';
import * as number from '../format/number';
import { growthOrder } from '../listing/growth-order';
import { Mini } from '../plot/mini';
import { COSTS, cost } from '../routines/controls';
import { href, param, setParams } from '../state/route';
import { page } from '../state/store';
import type { Column } from '../table/column';
import { Grid } from '../table/grid';
import type { Chip, Filter } from '../table/narrow';
import { RowLink } from '../table/row';
import { GrowthBadge, Name } from '../view/parts';

/** A routine with what its columns need. */
interface Entry {
  row: SeriesRow;
  model: Model | undefined;
  offset: SeriesModel['offset_power'];
  x: number[];
  y: number[];
  curve: CurvePoint[];
  poor: boolean;
}

/** What aprof-plot's authors took for a fit to be worth a look. */
const ENOUGH_SIZES = 10;
const GOOD_R2 = 0.92;
const LEAST_COEFFICIENT = 0.01;

const contextsParam = param('contexts');
const withContexts = computed(() => contextsParam.value === '1');

const shareOrNone = (share: number | undefined) => (share === undefined ? '–' : number.share(share));

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
      <header class="page-head">
        <h1>Routines</h1>
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
        noun="routine"
        rows={withContexts.value ? entries : entries.filter((e) => e.row.context === undefined)}
        columns={columns}
        id={(e) => routineId(e.row)}
        href={(e) => href('routine', routineId(e.row), { cost: which === 'worst' ? null : which })}
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
    const extra = data.series[i]?.[which][0];
    return {
      row,
      model: row[which].models[0],
      offset: row[which].offset_power,
      x: tuples.map((t) => t[0]),
      y: tuples.map((t) => costOf(t, which)),
      curve: extra?.curve ?? [],
      poor: extra?.poor === true,
    };
  });
}

function costOf([, calls, min, max, sum]: Observation, which: (typeof COSTS)[number]): number {
  return which === 'worst' ? max : which === 'best' ? min : sum / Math.max(calls, 1);
}

/** The last two are there where the profile says where input came from. */
function columnsOf(entries: readonly Entry[]): Column<Entry>[] {
  const hasInput = entries.some((e) => e.row.thread_input !== undefined);
  const columns: Column<Entry>[] = [
    {
      key: 'name',
      title: 'Routine',
      value: (e) => e.row.name,
      render: (e) => (
        <>
          <RowLink href={href('routine', routineId(e.row))}>
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
    {
      key: 'cumulative',
      title: 'Cost',
      hint: 'of the program, with what the routine called',
      value: (e) => e.row.share,
      render: (e) => number.share(e.row.share),
      numeric: true,
      width: 5.5,
      priority: 1,
    },
    {
      key: 'self',
      title: 'Self cost',
      hint: 'of the program, without what the routine called; – where the profile does not say',
      value: (e) => e.row.self_share ?? null,
      render: (e) => shareOrNone(e.row.self_share),
      numeric: true,
      width: 4.5,
      priority: 5,
    },
    {
      key: 'calls',
      title: 'Calls',
      value: (e) => e.row.count,
      render: (e) => number.cost(e.row.count),
      numeric: true,
      width: 4.5,
      priority: 6,
    },
    {
      key: 'callshare',
      title: 'Calls %',
      value: (e) => e.row.count_share,
      render: (e) => number.share(e.row.count_share),
      numeric: true,
      width: 4.5,
      priority: 9,
    },
    {
      key: 'sizes',
      title: 'Sizes',
      hint: 'how many different input sizes: the tuples',
      value: (e) => e.row.sizes,
      numeric: true,
      width: 4,
      priority: 4,
    },
    {
      key: 'plot',
      title: 'Plot',
      value: () => null,
      sort: null,
      drawn: true,
      render: (e) => <Mini x={e.x} y={e.y} curve={e.curve} label="" />,
      width: 6.5,
      priority: 3,
    },
    {
      key: 'growth',
      title: 'Growth',
      hint: 'the class of growth; sorted from slow to fast',
      value: (e) => e.model?.growth?.verdict ?? null,
      sort: (e) => growthOrder(e.model?.growth ?? null),
      render: (e) => <GrowthBadge growth={e.model?.growth ?? null} />,
      width: 7,
      priority: 2,
    },
    {
      key: 'exponent',
      title: 'Exponent',
      hint: 'of the power law, with its interval',
      value: (e) => e.model?.power_law?.b ?? null,
      render: (e) => {
        const law = e.model?.power_law;
        if (!law) return '–';
        return (
          <>
            {number.exponent(law.b, law.b_ci)}
            {law.b_ci && <span class="soft interval"> {number.exponentInterval(law.b_ci)}</span>}
          </>
        );
      },
      numeric: true,
      width: 8,
      priority: 1,
    },
    {
      key: 'r2',
      title: 'R²',
      value: (e) => e.model?.power_law?.r2 ?? null,
      render: (e) => {
        const r2 = e.model?.power_law?.r2;
        return <span class={e.poor ? 'doubt' : undefined}>{r2 === undefined ? '–' : number.r2(r2)}</span>;
      },
      numeric: true,
      width: 3.5,
      priority: 5,
    },
    {
      key: 'c',
      title: 'c',
      hint: 'of a + b·n^c by least squares, aprof-plot’s model',
      value: (e) => e.offset?.c ?? null,
      // Without a growing term its exponent says nothing.
      sort: (e) => (e.offset?.b ? e.offset.c : null),
      render: (e) => (e.offset?.b ? number.exponent(e.offset.c, null) : '–'),
      numeric: true,
      width: 5,
      priority: 7,
    },
    {
      key: 'b',
      title: 'b',
      hint: 'of a + b·n^c by least squares',
      value: (e) => e.offset?.b ?? null,
      render: (e) => {
        const b = e.offset?.b;
        return b === undefined ? '–' : number.significant(b, 3);
      },
      numeric: true,
      width: 5,
      priority: 10,
    },
    {
      key: 'thread',
      title: '%thread',
      hint: 'of its input, written by other threads',
      value: (e) => e.row.thread_input ?? null,
      render: (e) => shareOrNone(e.row.thread_input),
      numeric: true,
      width: 5,
      priority: 11,
    },
    {
      key: 'syscall',
      title: '%syscall',
      hint: 'of its input, written by the kernel',
      value: (e) => e.row.kernel_input ?? null,
      render: (e) => shareOrNone(e.row.kernel_input),
      numeric: true,
      width: 5,
      priority: 12,
    },
  ];
  return hasInput ? columns : columns.slice(0, -2);
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
    value: (e) => e.model?.power_law?.r2 ?? null,
  },
  {
    key: 'minb',
    label: 'coefficient b',
    hint: 'of a + b·n^c',
    kind: 'range',
    value: (e) => e.offset?.b ?? null,
  },
  { key: 'exp', label: 'exponent', kind: 'range', value: (e) => e.model?.power_law?.b ?? null },
];

const CHIPS: Chip<Entry>[] = [
  {
    key: 'fitted',
    label: 'well fitted',
    hint: `more than ${ENOUGH_SIZES} sizes, R² > ${GOOD_R2}, coefficient > ${LEAST_COEFFICIENT}`,
    keeps: ({ row, model, offset }) =>
      row.sizes > ENOUGH_SIZES &&
      (model?.power_law?.r2 ?? 0) > GOOD_R2 &&
      (offset?.b ?? model?.power_law?.a ?? 0) > LEAST_COEFFICIENT,
  },
  {
    key: 'superlinear',
    label: 'superlinear',
    keeps: ({ model }) => model?.growth?.superlinear === true,
  },
  { key: 'undecided', label: 'undecided', keeps: ({ model }) => model?.growth?.decided === false },
];
