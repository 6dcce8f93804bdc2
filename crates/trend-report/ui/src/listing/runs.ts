/** The runs of a study as rows: what each was given and what it cost. */

import { modelIndex } from '../data/models';
import type { Page } from '../data/page';
import type { WorkloadInfo } from '../data/types';
import { residuals, type Residual } from './outliers';

export interface RunRow {
  info: WorkloadInfo;
  /** In the order of `findings.features`. */
  features: (number | null)[];
  /** Of all locations together; `null` where the page does not carry it. */
  total: number | null;
  /** From the law of the total. */
  residual: Residual | null;
}

export interface Runs {
  rows: RunRow[];
  /** What the total is explained by; `null` where there is no law. */
  feature: string | null;
}

export function runs({ data, findings }: Page, feature: string | null): Runs {
  const costs = data.total.costs;
  const { models } = findings.total;
  const asked = modelIndex({ models }, feature);
  const index = asked >= 0 ? asked : modelIndex({ models }, null);
  const model = models[index];
  const sizes = model
    ? data.feature_values[findings.features.findIndex((f) => f.name === model.feature)]
    : null;
  const off = model && sizes && costs ? residuals(model, data.total.models[index], sizes, costs) : [];
  const rows = data.workloads.map((info, i) => ({
    info,
    features: data.feature_values.map((values) => values[i] ?? null),
    total: costs?.[i] ?? null,
    residual: off[i] ?? null,
  }));
  return { rows, feature: model?.power_law ? model.feature : null };
}
