/** Whose model a line of code is described by: its own where the findings have one, else those of its clusters. Pure. */

import { plural } from '../format/number';
import type { Cluster, Findings, Row } from '../data/types';
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

/** Whose numbers a cluster's are, where they stand beside a line. */
export function whose(cluster: Cluster): string {
  return `cluster #${cluster.rank}, ${plural(cluster.members.length, 'location')} whose costs vary together`;
}
