/** The clusters and the functions of a study as rows of tables. */

import { functionId, namesake, NO_EXTRA, type Page } from '../data/page';
import type { PlainRow } from './modelled';
import { ranksOf } from './ranks';

export function clusterRows(page: Page): PlainRow[] {
  const { findings, data } = page;
  return findings.clusters.map((cluster, i) => {
    const named = namesake(cluster);
    return {
      row: cluster,
      id: cluster.representative.name,
      name: page.title(cluster),
      file: named?.file ?? '',
      line: named?.line ?? 0,
      function: named?.function ?? '',
      rank: cluster.rank,
      costly: cluster.costly,
      maxCost: cluster.max_cost,
      shareOfLargest: cluster.share_of_largest,
      maxShare: cluster.max_share,
      locations: cluster.members.length,
      unstable: cluster.members.some((m) => m.unstable === true),
      overtakes: cluster.overtakes,
      extra: data.clusters[i] ?? NO_EXTRA,
    };
  });
}

export function functionRows({ findings, data }: Page): PlainRow[] {
  const ranks = ranksOf(findings.functions.map((f) => f.max_cost));
  return findings.functions.map((row, i) => ({
    row,
    id: functionId(row),
    name: data.functions[i]?.name ?? row.name,
    file: row.file,
    line: row.line,
    function: row.name,
    rank: ranks[i] ?? i + 1,
    costly: row.max_share > data.costly_share,
    maxCost: row.max_cost,
    shareOfLargest: row.share_of_largest,
    maxShare: row.max_share,
    locations: null,
    unstable: false,
    overtakes: [],
    extra: data.functions[i] ?? NO_EXTRA,
  }));
}
