/** The runs of a study as rows: what each was given, what it cost, and how far that is from the law of the whole. */

import { lawAt } from '../data/law';
import type { Page } from '../data/page';
import type { Failure, WorkloadInfo } from '../data/types';

export interface RunRow {
  info: WorkloadInfo;
  /** In the order of `findings.features`. */
  features: (number | null)[];
  /** Of all locations together; `null` where the page does not carry it. */
  total: number | null;
  /** From the law of the whole; `null` where that says nothing. */
  residual: Residual | null;
  /** Why there are no counts; `null` of runs that have them. */
  failure: Failure | null;
}

export interface Residual {
  /** Measured ÷ law: above 1 it costs more than the law says, below less. */
  ratio: number;
  /** How many robust standard deviations this is from the middle of all runs. */
  sigmas: number;
  /** Whether the analysis counts the run as an outlier. */
  outlier: boolean;
}

export function runs({ data, findings, featureIndex }: Page): RunRow[] {
  const { law, scatter } = findings.total;
  const outliers = new Set(scatter?.outliers.map((o) => o.workload));
  const ran = data.workloads.map((info, i): RunRow => {
    const features = data.feature_values.map((values) => values[i] ?? null);
    const total = data.total.costs?.[i] ?? null;
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
    info: { name: failure.name, ...none },
    features: failure.values,
    total: null,
    residual: null,
    failure,
  }));
  return [...ran, ...failed];
}

/** `+5.1 σ`, and no sign before zero. */
export function signed(sigmas: number): string {
  const size = Math.abs(sigmas).toFixed(1);
  return `${Number(size) === 0 ? '' : sigmas < 0 ? '−' : '+'}${size} σ`;
}
