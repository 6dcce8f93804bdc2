/** The columns of the runs: name, features, total cost, distance from the law, resources. */

import type { Page } from '../data/page';
import * as number from '../format/number';
import { visible } from '../format/text';
import { hrefHere } from '../state/route';
import { ON_REQUEST, type Column } from '../table/column';
import type { Chip, Filter } from '../table/narrow';
import { RowLink } from '../table/row';
import { Name } from '../view/parts';
import { isOutlier, OUTLIER_SIGMAS, signed } from './outliers';
import type { RunRow } from './runs';

type C = Column<RunRow>;

/** Studies may have many features; the others are found under "Columns". */
const SHOWN_FEATURES = 4;

export function runColumns(page: Page): C[] {
  return [
    {
      key: 'workload',
      title: 'Workload',
      width: 12,
      grow: 1,
      priority: 0,
      value: (row) => row.info.name,
      render: (row) => (
        <span class="ellipsis">
          <RowLink href={hrefHere({ selected: row.info.name })}>
            <Name text={row.info.name} columns={70} />
          </RowLink>
        </span>
      ),
    },
    ...page.findings.features.map((feature, i): C => ({
      key: `feature.${feature.name}`,
      title: visible(feature.name).slice(0, 24),
      hint: 'a feature of the workload',
      numeric: true,
      width: 5.5,
      priority: i < SHOWN_FEATURES ? 2 + i / 10 : ON_REQUEST,
      value: (row) => row.features[i] ?? null,
      render: (row) => optional(row.features[i], number.size),
    })),
    {
      key: 'total',
      title: 'Total cost',
      hint: page.data.total.exact ? 'over all locations' : 'over all locations, rounded',
      numeric: true,
      width: 5.5,
      priority: 1,
      value: (row) => row.total,
      render: (row) => optional(row.total, number.cost),
    },
    {
      key: 'ratio',
      title: 'Law ÷ cost',
      hint: 'what the law of the total says ÷ the total cost: above 1 the law says too much, below too little',
      numeric: true,
      width: 5.6,
      priority: 8,
      value: (row) => row.residual?.ratio ?? null,
      render: (row) => optional(row.residual?.ratio, (v) => number.significant(v, 3)),
    },
    {
      key: 'sigmas',
      title: 'Off by',
      hint: `how many robust standard deviations the logarithm of law ÷ measured is from its median; an outlier from ${OUTLIER_SIGMAS} on`,
      numeric: true,
      width: 5.2,
      priority: 3,
      value: (row) => row.residual?.sigmas ?? null,
      sort: (row) => (row.residual ? Math.abs(row.residual.sigmas) : null),
      render: (row) => (
        <span class={isOutlier(row.residual) ? 'flag doubt' : 'soft'}>
          {optional(row.residual?.sigmas, signed)}
        </span>
      ),
    },
    ...resources(page),
    {
      key: 'repetitions',
      title: 'Runs',
      hint: 'how many times it was run',
      numeric: true,
      width: 3.4,
      priority: 7,
      value: (row) => row.info.repetitions,
    },
    {
      key: 'command',
      title: 'Command',
      width: 14,
      grow: 0.7,
      priority: page.data.workloads.some((w) => w.command !== '') ? 9 : ON_REQUEST,
      value: (row) => row.info.command,
      render: (row) => (
        <code class="ellipsis">
          <Name text={row.info.command} columns={120} />
        </code>
      ),
    },
  ];
}

function resources(page: Page): C[] {
  const resource = (
    key: string,
    title: string,
    hint: string,
    value: (row: Pick<RunRow, 'info'>) => number | null,
    show: (v: number) => string,
    priority: number,
  ): C => {
    // Imported counts have none: no room for empty columns.
    const known = page.data.workloads.some((info) => value({ info }) !== null);
    const common = {
      key,
      title,
      hint,
      value,
      numeric: true,
      width: 4.6,
      priority: known ? priority : ON_REQUEST,
    };
    return { ...common, render: (row) => optional(value(row), show) };
  };
  return [
    resource('wall_s', 'Wall', 'time that the run took, in s', (row) => row.info.wall_s, number.seconds, 4),
    resource('cpu_s', 'CPU', 'processor time, in s', (row) => row.info.cpu_s, number.seconds, 5),
    resource(
      'peak_rss_bytes',
      'Memory',
      'the most that was resident, in bytes',
      (row) => row.info.peak_rss_bytes,
      number.bytes,
      6,
    ),
  ];
}

function optional(value: number | null | undefined, show: (value: number) => string): string {
  return value === null || value === undefined ? '–' : show(value);
}

export const RUN_CHIPS: readonly Chip<RunRow>[] = [
  {
    key: 'outliers',
    label: 'outliers',
    hint: `more than ${OUTLIER_SIGMAS} robust standard deviations off the law of the total`,
    keeps: (row) => isOutlier(row.residual),
  },
  {
    key: 'repeated',
    label: 'repeated',
    hint: 'run more than once',
    keeps: (row) => row.info.repetitions > 1,
  },
];

export function runFilters(page: Page): Filter<RunRow>[] {
  const features = page.findings.features.slice(0, SHOWN_FEATURES).map((feature, i): Filter<RunRow> => ({
    key: `f.${feature.name}`,
    label: visible(feature.name).slice(0, 24),
    kind: 'range',
    hint: 'such as 10k, or 10k..2M',
    value: (row) => row.features[i] ?? null,
  }));
  return [
    ...features,
    { key: 'mintotal', label: 'Total cost', kind: 'range', hint: 'such as 1e6..', value: (row) => row.total },
  ];
}
