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
    ...page.findings.features.map((feature, i): C => {
      const title = visible(feature.name).slice(0, 24);
      return numbers(`feature.${feature.name}`, title, (row) => row.features[i], number.size, {
        hint: 'a feature of the workload',
        width: 5.5,
        priority: i < FIRST_FEATURES ? 2 + i / 10 : 10 + i,
      });
    }),
    numbers('total', 'Total cost', (row) => row.total, number.cost, {
      hint: page.data.total.exact ? 'over all locations' : 'over all locations, rounded',
      width: 5.5,
      priority: 1,
    }),
    numbers(
      'ratio',
      'Cost ÷ law',
      (row) => row.residual?.ratio,
      (v) => number.significant(v, 3),
      {
        hint: 'the total cost ÷ what the law of the total says: above 1 it costs more than the law says, below less',
        width: 5.6,
        priority: 8,
      },
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
    ...resources(page),
    numbers('repetitions', 'Runs', (row) => row.info.repetitions, String, {
      hint: 'how many times it was run',
      width: 3.4,
      priority: 7,
    }),
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

function resources(page: Page): C[] {
  const resource = (
    key: string,
    title: string,
    hint: string,
    value: (info: RunRow['info']) => number | null,
    show: (v: number) => string,
    priority: number,
  ): C[] => {
    // Imported counts have none: no room for empty columns.
    const known = page.data.workloads.some((info) => value(info) !== null);
    const more = { hint, width: 4.6, priority };
    return known ? [numbers(key, title, (row) => value(row.info), show, more)] : [];
  };
  return [
    ...resource('wall_s', 'Wall', 'time that the run took, in s', (w) => w.wall_s, number.seconds, 4),
    ...resource('cpu_s', 'CPU', 'processor time, in s', (w) => w.cpu_s, number.seconds, 5),
    ...resource(
      'peak_rss_bytes',
      'Memory',
      'the most that was resident',
      (w) => w.peak_rss_bytes,
      number.bytes,
      6,
    ),
  ];
}

export const RUN_CHIPS: readonly Chip<RunRow>[] = [
  {
    key: 'outliers',
    label: 'outliers',
    hint: 'far off the law of the total',
    keeps: (row) => row.residual?.outlier === true,
  },
  {
    key: 'repeated',
    label: 'repeated',
    hint: 'run more than once',
    keeps: (row) => row.info.repetitions > 1,
  },
];

export function runFilters(page: Page): Filter<RunRow>[] {
  const features = page.findings.features.slice(0, FIRST_FEATURES).map((feature, i): Filter<RunRow> => ({
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
