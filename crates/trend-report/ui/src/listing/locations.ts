/** All locations of a study: the members of clusters, each once, and those whose cost hardly varies. */

import { modelIndex } from '../data/models';
import type { Page } from '../data/page';
import type { Model } from '../data/types';

export interface LocationRow {
  name: string;
  function: string;
  file: string;
  line: number;
  maxCost: number;
  /** Position in the findings' clusters of the one it fits best; `null` for what hardly varies. */
  cluster: number | null;
  /** Name of that cluster. */
  clusterName: string | null;
  /** How many clusters it is in. */
  clusters: number;
  /** With the representative of its cluster. */
  r2: number | null;
  unstable: boolean;
  /** What its cluster is shown with. */
  model: Model | undefined;
}

/** By maximum cost, the largest first. Time: O(n log n) in locations. */
export function locationRows(
  { findings, data }: Page,
  feature: string | null,
  wanted: ReadonlySet<string> | null = null,
): LocationRow[] {
  const rows = new Map<string, LocationRow>();
  findings.clusters.forEach((cluster, index) => {
    const shown = modelIndex(cluster, feature);
    const model = cluster.models[shown >= 0 ? shown : modelIndex(cluster, null)];
    for (const member of cluster.members) {
      if (wanted?.has(member.name) === false) continue;
      const known = rows.get(member.name);
      if (known) known.clusters++;
      if (known && (known.r2 ?? 0) >= member.r2) continue;
      rows.set(member.name, {
        name: member.name,
        function: member.function,
        file: member.file,
        line: member.line,
        maxCost: member.max_cost,
        cluster: index,
        clusterName: cluster.representative.name,
        clusters: known?.clusters ?? 1,
        r2: member.r2,
        unstable: member.unstable === true,
        model,
      });
    }
  });
  const { constant } = data;
  constant.name.forEach((name, i) => {
    if (rows.has(name) || wanted) return;
    rows.set(name, {
      name,
      function: constant.functions[constant.function[i] ?? -1] ?? '',
      file: constant.files[constant.file[i] ?? -1] ?? '',
      line: constant.line[i] ?? 0,
      maxCost: constant.max_cost[i] ?? 0,
      cluster: null,
      clusterName: null,
      clusters: 0,
      r2: null,
      unstable: false,
      model: undefined,
    });
  });
  return [...rows.values()].sort((a, b) => b.maxCost - a.maxCost);
}
