/** Whose model a line of code is described by: its own where the findings have one, else those of its clusters. Pure. */

import { estimate, modelIndex, sameSize, type Estimate } from '../data/models';
import type { Cluster, Findings, Model, Row } from '../data/types';
import type { LineCost } from './costs';

/** The row of the findings that is this line and nothing else; `null` where they have none. */
export function ownRow(findings: Findings, file: string, cost: LineCost): Row | null {
  const line = findings.lines?.find((row) => row.file === file && row.line === cost.line);
  if (line) return line;
  const [only, ...others] = cost.locations;
  if (only === undefined || others.length > 0) return null;
  return findings.blocks?.find((row) => row.file === file && row.name === only) ?? null;
}

/** Whether the cluster is nothing but what is on this line, so that its model is the line's. */
export function isLineAlone(cluster: Cluster, cost: LineCost): boolean {
  const [only] = cost.locations;
  return cost.locations.length === 1 && cluster.members.length === 1 && cluster.members[0]?.name === only;
}

export interface OwnOutlook {
  model: Model;
  at: number | null;
  estimate: Estimate | null;
}

/** What a row that the page carries no curve of says at a size; nothing where its law is known only at others. */
export function ownOutlook(
  row: Row,
  feature: string | null,
  targetOf: (feature: string) => number | null,
): OwnOutlook | null {
  const asked = modelIndex(row, feature);
  const model = row.models[asked >= 0 ? asked : modelIndex(row, null)];
  if (!model) return null;
  const at = targetOf(model.feature);
  const { predictions } = model;
  const known = at !== null && predictions.some((p) => sameSize(p.at, at));
  const isPower = model.source === 'power_law';
  return { model, at, estimate: at !== null && (known || isPower) ? estimate(model, undefined, at) : null };
}

/** Whose numbers a cluster's are, where they stand beside a line. */
export function whose(cluster: Cluster): string {
  const { length } = cluster.members;
  const many = length === 1 ? '1 location' : `${length.toLocaleString('en-US')} locations`;
  return `of its cluster #${cluster.rank}, ${many} whose costs vary together`;
}
