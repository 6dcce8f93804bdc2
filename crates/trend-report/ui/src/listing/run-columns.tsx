/**
 * The runs of a study as rows, with their columns: a run's input, its time, memory and cost, and its deviation from the
 * law of the total. Failed runs come first, with their reasons.
 */

import { lawAt } from '../data/law';
import type { Page } from '../data/page';
import type { Failure, WorkloadInfo } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { hrefHere } from '../state/state';
import { type Column, column, numbers, shown, UNSHOWN } from '../table/column';
import type { Chip, Filter } from '../table/narrow';
import { Linked } from '../view/parts';

type C = Column<RunRow>;

/** Number of features whose columns come before the other columns of a run. A study may have many features. */
const FIRST_FEATURES = 4;

export function runColumns({ findings }: Page, rows: readonly RunRow[]): C[] {
  const { seconds, bytes, cost } = number;
  const info = (key: 'wall_s' | 'cpu_s' | 'peak_rss_bytes') => (row: RunRow) => row.info[key];
  const ratio = (row: RunRow) => row.residual?.ratio;
  const repeats = (row: RunRow) => row.info.repetitions || null;
  const three = (ratio: number) => number.significant(ratio, 3);
  const text = (key: string, value: C['value']): C => column(key, key, UNSHOWN, { value });
  const measured: C[] = [
    numbers('wall_s', 'wall', 'wall-clock time', [4.6, 4], info('wall_s'), seconds),
    numbers('cpu_s', 'CPU', 'CPU time', [4.6, 5], info('cpu_s'), seconds),
    numbers('peak_rss_bytes', 'memory', 'peak resident memory', [4.8, 6], info('peak_rss_bytes'), bytes),
    {
      ...numbers('total', 'cost', 'over all locations', [5.2, 1], (row: RunRow) => row.total, cost),
      sort: (row) => (row.failure ? Infinity : row.total),
    },
    numbers('ratio', 'cost ÷ law', 'above 1: more than the law of the total cost', [5, 8], ratio, three),
    column('sigmas', 'off by', [5, 3], {
      hint: 'distance of log(cost ÷ law) from its median, in robust standard deviations',
      numeric: true,
      value: (row) => row.residual?.sigmas ?? null,
      sort: (row) => (row.residual ? Math.abs(row.residual.sigmas) : null),
      render: (row) => (
        <span class={row.residual?.outlier ? 'flag doubt' : 'soft'}>
          {shown(row.residual?.sigmas, signed)}
        </span>
      ),
    }),
  ];
  return [
    column('workload', 'run', [14, 0, 1], {
      value: (row) => row.info.name,
      render: (row) => <RunName row={row} />,
    }),
    ...findings.features.map(({ name }, i) => {
      const priority = i < FIRST_FEATURES ? 2 + i / 10 : 10 + i;
      const title = visible(name).slice(0, 24);
      const value = (row: RunRow) => row.features[i];
      const show = (v: number) => number.featureSize(name, v);
      return numbers(`feature.${name}`, title, 'a feature', [5.5, priority], value, show);
    }),
    // Imported counts have no resources, so these columns would be empty.
    ...measured.filter((column) => rows.some((row) => column.value(row) !== null)),
    numbers('repetitions', 'repeats', 'how often it was run', [3.4, 7], repeats, String),
    text('failure', (row) => row.failure?.reason ?? null),
    text('command', (row) => row.info.command),
  ];
}

/**
 * Shows the name of a run over its command line; for a failed run, over the reason and the last line of its error
 * output.
 */
function RunName({ row: { info, failure } }: { row: RunRow }) {
  const said = failure?.stderr_tail.trim().split('\n').at(-1) ?? '';
  const reason = failure && `× ${failure.reason}${said && `: ${said}`}`;
  return (
    <span class="who">
      <span>
        <Linked stop={false} to={hrefHere({ selected: info.name })} text={info.name} columns={90} />
        <span
          class={failure ? 'place doubt' : 'place'}
          title={visible((reason ?? info.command).slice(0, 2000))}
        >
          {visible((reason ?? info.command).slice(0, 200))}
        </span>
      </span>
    </span>
  );
}

export const RUN_CHIPS: readonly Chip<RunRow>[] = [
  {
    key: 'outliers',
    label: 'outliers',
    hint: 'far from the law of the total cost',
    keeps: (r) => r.residual?.outlier === true,
  },
  { key: 'failed', label: 'failed', hint: 'without counts', keeps: (r) => r.failure !== null },
  { key: 'repeated', label: 'repeated', hint: 'run several times', keeps: (r) => r.info.repetitions > 1 },
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

export interface RunRow {
  info: WorkloadInfo;
  /** Values in the order of `findings.features`. */
  features: (number | null)[];
  /** Cost of all locations together; `null` if the page does not carry it. */
  total: number | null;
  /**
   * Deviation from the law of the total; `null` if that law gives no cost. `ratio` is measured ÷ law: above 1 the run
   * costs more than the law says. `sigmas` is the distance from the median of all runs, in robust standard deviations.
   * `outlier` is the verdict of the analysis.
   */
  residual: { ratio: number; sigmas: number; outlier: boolean } | null;
  /** The reason why there are no counts; `null` for runs that have them. */
  failure: Required<Failure> | null;
}

export function runs({ data, findings, featureIndex }: Page): RunRow[] {
  const { law, scatter } = findings.total;
  const outliers = new Set(scatter?.outliers.map((o) => o.workload));
  const ran = data.workloads.map((info, i): RunRow => {
    const features = data.feature_values.map((values) => values[i] ?? null);
    const total = findings.total.costs?.[i] ?? null;
    const point = law?.features.map((name) => features[featureIndex.get(name) ?? -1] ?? NaN) ?? [];
    const ratio = (total ?? 0) / ((law && lawAt(law, point)) ?? 0);
    const known = scatter && ratio > 0 && ratio < Infinity;
    const residual = known && {
      ratio,
      sigmas: Math.log(ratio / scatter.middle) / scatter.sigma,
      outlier: outliers.has(info.name),
    };
    return { info, features, total, residual: residual || null, failure: null };
  });
  const none = { command: '', repetitions: 0, wall_s: null, cpu_s: null, peak_rss_bytes: null };
  const failed = findings.workloads.failures.map((failure): RunRow => ({
    ...{ info: { name: failure.name, ...none }, features: failure.values, total: null, residual: null },
    // An empty output is not written.
    failure: Object.assign({ stderr_tail: '' }, failure),
  }));
  return [...failed, ...ran];
}

/** Formats `+5.1 σ`; zero has no sign. */
export function signed(sigmas: number): string {
  const size = Math.abs(sigmas).toFixed(1);
  return `${Number(size) === 0 ? '' : sigmas < 0 ? '−' : '+'}${size} σ`;
}
