/** The numbers of the worked example: the costliest cluster of this very study. Pure functions over the findings. */

import { evaluate, modelIndex } from '../data/models';
import type { Cluster, Findings, Model, Prediction } from '../data/types';

export interface Worked {
  cluster: Cluster;
  model: Model;
  law: NonNullable<Model['power_law']>;
  /** The 95th percentile of the feature, and what the law says there. */
  p95: number | null;
  atP95: number | null;
  /** The farthest that was predicted. */
  prediction: Prediction | null;
  /** What the law alone says there. */
  lawThere: number | null;
  /** What doubling the feature multiplies the cost by. */
  doubling: number;
}

/** The first cluster by rank that has a power law; `null` for a study without one. */
export function worked(findings: Findings): Worked | null {
  for (const cluster of findings.clusters) {
    const model = cluster.models[modelIndex(cluster, null)];
    const law = model?.power_law;
    if (!model || !law) continue;
    const p95 = findings.features.find((f) => f.name === model.feature)?.p95 ?? null;
    const prediction = model.predictions[model.predictions.length - 1] ?? null;
    const at = (x: number | null | undefined) =>
      x !== null && x !== undefined && x > 0 ? evaluate(law, x) : null;
    return {
      cluster,
      model,
      law,
      p95,
      atP95: at(p95),
      prediction,
      lawThere: at(prediction?.at),
      doubling: 2 ** law.b,
    };
  }
  return null;
}

/** Members as the share of the cluster's rank that they fit: from the least R² to the greatest. */
export function memberR2(cluster: Cluster): [number, number] | null {
  let [lo, hi] = [Infinity, -Infinity];
  for (const { r2 } of cluster.members) {
    lo = Math.min(lo, r2);
    hi = Math.max(hi, r2);
  }
  return lo <= hi ? [lo, hi] : null;
}
