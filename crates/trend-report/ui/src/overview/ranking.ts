/** Who costs most now and who will at another size: pure functions over the data. */

import { estimate, modelIndex, type Estimate } from '../data/models';
import type { Cluster, Model, ModelExtra, PageData } from '../data/types';
import { lawOf, part as lawPart } from '../row/law';

export interface Ranked {
  /** Position in `findings.clusters`. */
  index: number;
  cluster: Cluster;
  /** In the feature that is ranked by. */
  model: Model | null;
  extra: ModelExtra | undefined;
  now: number;
  /** `null` where the cluster has no prediction there. */
  then: number | null;
  estimate: Estimate | null;
}

/** Every cluster by what it will cost where `feature` is `at`; those without a prediction last. */
export function rankAt(data: PageData, feature: string, at: number): Ranked[] {
  const rows = data.findings.clusters.map((cluster, index): Ranked => {
    const i = modelIndex(cluster, feature);
    const model = cluster.models[i] ?? null;
    const extra = data.clusters[index]?.models[i];
    const found = model ? estimate(model, extra, at, cluster.law) : null;
    return { index, cluster, model, extra, now: cluster.rank, then: null, estimate: found };
  });
  rows.sort((a, b) => (b.estimate?.cost ?? -1) - (a.estimate?.cost ?? -1) || a.now - b.now);
  rows.forEach((row, i) => {
    if (row.estimate) row.then = i + 1;
  });
  return rows;
}

/** A law from `from` to `to`, its ends exactly there. */
export function part(
  extra: ModelExtra | undefined,
  model: Model,
  from: number,
  to: number,
): [number, number][] {
  if (!(from < to)) return [];
  const law = lawOf(model, extra, [from, to]);
  return law ? lawPart(law.curve, from, to).map(([x, cost]) => [x, cost]) : [];
}

export interface Bin {
  lo: number;
  hi: number;
  count: number;
}

/** Workloads per equal step of the logarithm, as `svg` of the static part has them; empty where nothing is positive. */
export function logBins(values: readonly (number | null)[], bins: number): Bin[] {
  const positive = values.filter((v): v is number => v !== null && v > 0 && Number.isFinite(v));
  if (positive.length === 0 || bins < 1) return [];
  let lo = Infinity;
  let hi = 0;
  for (const v of positive) {
    lo = Math.min(lo, v);
    hi = Math.max(hi, v);
  }
  if (lo === hi) return [{ lo, hi, count: positive.length }];
  const [start, width] = [Math.log(lo), (Math.log(hi) - Math.log(lo)) / bins];
  const found = Array.from({ length: bins }, (_, i): Bin => ({
    lo: i === 0 ? lo : Math.exp(start + i * width),
    hi: i === bins - 1 ? hi : Math.exp(start + (i + 1) * width),
    count: 0,
  }));
  for (const v of positive) {
    const bin = found[Math.min(Math.floor((Math.log(v) - start) / width), bins - 1)];
    if (bin) bin.count++;
  }
  return found;
}

/** How many powers of ten lie between the ends; `null` where that is not defined. */
export function decades(min: number | null, max: number | null): number | null {
  return min !== null && max !== null && min > 0 && max >= min ? Math.log10(max / min) : null;
}
