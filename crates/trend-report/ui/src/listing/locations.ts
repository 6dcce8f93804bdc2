/** Locations as rows of tables: members of clusters, each once. */

import { modelIndex } from '../data/models';
import type { Page } from '../data/page';
import type { Model } from '../data/types';

export interface LocationRow {
  name: string;
  function: string;
  file: string;
  line: number;
  maxCost: number;
  /** Name of the cluster that it fits best. */
  clusterName: string;
  /** How many clusters it is in. */
  clusters: number;
  /** With the representative of its cluster. */
  r2: number;
  unstable: boolean;
  /** What its cluster is shown with. */
  model: Model | undefined;
}

/** By maximum cost, the largest first. Time: O(n log n) in locations. */
export function locationRows(
  { findings }: Page,
  feature: string | null,
  wanted: ReadonlySet<string>,
): LocationRow[] {
  const rows = new Map<string, LocationRow>();
  findings.clusters.forEach((cluster) => {
    const shown = modelIndex(cluster, feature);
    const model = cluster.models[shown >= 0 ? shown : modelIndex(cluster, null)];
    for (const member of cluster.members) {
      if (!wanted.has(member.name)) continue;
      const known = rows.get(member.name);
      if (known) known.clusters++;
      if (known && known.r2 >= member.r2) continue;
      rows.set(member.name, {
        name: member.name,
        function: member.function,
        file: member.file,
        line: member.line,
        maxCost: member.max_cost,
        clusterName: cluster.representative.name,
        clusters: known?.clusters ?? 1,
        r2: member.r2,
        unstable: member.unstable === true,
        model,
      });
    }
  });
  return [...rows.values()].sort((a, b) => b.maxCost - a.maxCost);
}
