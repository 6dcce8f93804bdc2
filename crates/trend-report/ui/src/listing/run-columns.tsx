/** The columns of the runs: name, features, total cost, distance from the law, resources. */

import type { Page } from '../data/page';
import * as number from '../format/number';
import { visible } from '../format/text';
import { hrefHere } from '../state/route';
import { numbers, shown, type Column } from '../table/column';
import type { Chip, Filter } from '../table/narrow';
import { RowLink } from '../table/row';
import { Name } from '../view/parts';
import { signed, type RunRow } from './runs';

type C = Column<RunRow>;

/** Studies may have many features: the first go before what else is known of a run. */
const FIRST_FEATURES = 4;

export function runColumns({ data, findings }: Page): C[] {
  const column = (
    key: string,
    title: string,
    hint: string,
    [width, priority]: [number, number],
    value: (row: RunRow) => number | null | undefined,
    show: (v: number) => string,
  ): C => numbers(key, title, value, show, { hint, width, priority });
  // Imported counts have no resources: no room for empty columns.
  const known = (value: (info: RunRow['info']) => number | null, found: C) =>
    data.workloads.some((info) => value(info) !== null) ? [found] : [];
  const { seconds, bytes, cost, size, significant } = number;
  return [
    {
      key: 'workload',
      title: 'Run',
      width: 12,
      grow: 1,
      priority: 0,
      value: (row) => row.info.name,
      render: (row) => (
        <span class="ellipsis">
          <RowLink href={hrefHere({ selected: row.info.name })}>
            <Name text={row.info.name} columns={48} />
          </RowLink>
        </span>
      ),
    },
    ...(findings.workloads.failed > 0 ? [FAILED] : []),
    ...findings.features.map(({ name }, i) => {
      const priority = i < FIRST_FEATURES ? 2 + i / 10 : 10 + i;
      const title = visible(name).slice(0, 24);
      return column(`feature.${name}`, title, 'a feature', [5.5, priority], (row) => row.features[i], size);
    }),
    column('total', 'Total cost', 'over all locations', [5.5, 1], (row) => row.total, cost),
    column(
      'ratio',
      'Cost ÷ law',
      'the total cost ÷ what the law of the total says: above 1 it costs more than the law says, below less',
      [5.6, 8],
      (row) => row.residual?.ratio,
      (v) => significant(v, 3),
    ),
    {
      key: 'sigmas',
      title: 'Off by',
      hint: 'how many robust standard deviations the logarithm of cost ÷ law is from its median',
      numeric: true,
      width: 5.2,
      priority: 3,
      value: (row) => row.residual?.sigmas ?? null,
      sort: (row) => (row.residual ? Math.abs(row.residual.sigmas) : null),
      render: (row) => (
        <span class={row.residual?.outlier ? 'flag doubt' : 'soft'}>
          {shown(row.residual?.sigmas, signed)}
        </span>
      ),
    },
    ...known(
      (w) => w.wall_s,
      column('wall_s', 'Wall', 'time that the run took', [4.6, 4], (row) => row.info.wall_s, seconds),
    ),
    ...known(
      (w) => w.cpu_s,
      column('cpu_s', 'CPU', 'processor time', [4.6, 5], (row) => row.info.cpu_s, seconds),
    ),
    ...known(
      (w) => w.peak_rss_bytes,
      column('peak_rss_bytes', 'Memory', 'most resident', [4.6, 6], (row) => row.info.peak_rss_bytes, bytes),
    ),
    column('repetitions', 'Times', 'how often it was run', [3.4, 7], (row) => row.info.repetitions, String),
    {
      key: 'command',
      title: 'Command',
      width: 14,
      grow: 0.7,
      priority: 9,
      value: (row) => row.info.command,
      render: (row) => (
        <code class="ellipsis">
          <Name text={row.info.command} columns={120} />
        </code>
      ),
    },
  ];
}

const FAILED: C = {
  key: 'failure',
  title: 'Failed',
  hint: 'why there are no counts',
  width: 9,
  grow: 0.5,
  priority: 0.5,
  value: (row) => row.failure?.reason ?? null,
  render: (row) =>
    row.failure && (
      <span class="ellipsis doubt">
        × <Name text={row.failure.reason} columns={60} />
      </span>
    ),
};

export const RUN_CHIPS: readonly Chip<RunRow>[] = [
  {
    key: 'outliers',
    label: 'outliers',
    hint: 'far off the law of the total',
    keeps: (row) => row.residual?.outlier === true,
  },
  { key: 'failed', label: 'failed', hint: 'without counts', keeps: (row) => row.failure !== null },
  {
    key: 'repeated',
    label: 'repeated',
    hint: 'run more than once',
    keeps: (row) => row.info.repetitions > 1,
  },
];

export function runFilters({ findings }: Page): Filter<RunRow>[] {
  const hint = 'such as 10k, or 10k..2M';
  return [
    ...findings.features.slice(0, FIRST_FEATURES).map(({ name }, i): Filter<RunRow> => {
      const label = visible(name).slice(0, 24);
      return { key: `f.${name}`, label, kind: 'range', hint, value: (row) => row.features[i] ?? null };
    }),
    { key: 'mintotal', label: 'Total cost', kind: 'range', hint, value: (row) => row.total },
  ];
}
