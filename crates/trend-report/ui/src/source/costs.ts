/** What the lines and files of the program cost: pure functions over the findings. */

import { modelIndex } from '../data/models';
import type { Page } from '../data/page';
import type { Model, PageData } from '../data/types';
import { certainPace } from '../data/growth-class';

/** A location as lines need it. */
interface Place {
  name: string;
  function: string;
  lines: number[];
  cost: number;
  /** Position in `findings.clusters`; `null` for what hardly varies. */
  clusters: number[];
}

export interface LineCost {
  line: number;
  /** Of the run in which it costs most; 0 = counted, but no run came here. */
  cost: number;
  /** Those with a location on this line, the costliest location's first; positions in `findings.clusters`. */
  clusters: number[];
  functions: string[];
  /** Names of the locations, the costliest first. */
  locations: string[];
}

export interface FileCost {
  file: string;
  /** Of all its locations, each in the run where it costs most. */
  cost: number;
  /** Of the same sum over all files. */
  share: number;
  locations: number;
  /** Position of the cluster that certainly grows fastest among those that cost something; `null` if none is known. */
  steepest: number | null;
}

/** A cluster's class says little of a file where it takes less than this share of the file's cost. */
const MATTERS = 0.001;

const placesOf = new WeakMap<PageData, Map<string, Map<string, Place>>>();

/** Every location once, by file and name: a location can be a member of several clusters. */
function places(data: PageData): Map<string, Map<string, Place>> {
  const known = placesOf.get(data);
  if (known) return known;
  const files = new Map<string, Map<string, Place>>();
  const fileOf = (file: string): Map<string, Place> => {
    const found = files.get(file) ?? new Map<string, Place>();
    files.set(file, found);
    return found;
  };
  data.findings.clusters.forEach((cluster, i) => {
    for (const m of cluster.members) {
      const file = fileOf(m.file);
      const place = file.get(m.name);
      if (place) place.clusters.push(i);
      else {
        const lines = m.lines.length > 0 ? m.lines : [m.line];
        file.set(m.name, { name: m.name, function: m.function, lines, cost: m.max_cost, clusters: [i] });
      }
    }
  });
  const { constant } = data;
  constant.name.forEach((name, i) => {
    const file = fileOf(constant.files[constant.file[i] ?? -1] ?? '');
    if (file.has(name)) return;
    const lines = [constant.line[i] ?? 0, ...(constant.lines[i] ?? [])];
    const place = {
      name,
      function: constant.functions[constant.function[i] ?? -1] ?? '',
      lines: [...new Set(lines)],
      cost: constant.max_cost[i] ?? 0,
      clusters: [],
    };
    file.set(name, place);
  });
  placesOf.set(data, files);
  return files;
}

/**
 * The counted lines of a file, ascending. Per function the most frequent of the blocks that cover a line, functions
 * (instances of a template, say) added up: blocks of one function on one line are the parts of one statement.
 */
export function lineCosts(page: Page, file: string): LineCost[] {
  const byLine = new Map<number, Place[]>();
  for (const place of places(page.data).get(file)?.values() ?? []) {
    for (const line of place.lines) {
      if (!(line > 0)) continue;
      const here = byLine.get(line);
      if (here) here.push(place);
      else byLine.set(line, [place]);
    }
  }
  return [...byLine].sort((a, b) => a[0] - b[0]).map(([line, here]) => lineCost(line, here));
}

function lineCost(line: number, here: Place[]): LineCost {
  here.sort((a, b) => b.cost - a.cost);
  const perFunction = new Map<string, number>();
  for (const place of here) {
    perFunction.set(place.function, Math.max(perFunction.get(place.function) ?? 0, place.cost));
  }
  let cost = 0;
  for (const most of perFunction.values()) cost += most;
  return {
    line,
    cost,
    clusters: [...new Set(here.flatMap((p) => p.clusters))],
    functions: [...perFunction.keys()].filter((f) => f !== ''),
    locations: here.map((p) => p.name),
  };
}

/** Lines that count as hot in a file, ascending; `costly` is what a costly line of the program costs. */
export function hotLines(lines: LineCost[], costly: number): number[] {
  const most = lines.reduce((max, l) => Math.max(max, l.cost), 0);
  if (most === 0) return [];
  // Where nothing here is costly for the program, the costliest of the file still are where to look first.
  const threshold = most >= costly ? costly : most / 10;
  return lines.filter((l) => l.cost >= threshold).map((l) => l.line);
}

/** The files with counted locations, the costliest first. */
export function fileCosts(page: Page): FileCost[] {
  const { clusters } = page.findings;
  const paces = clusters.map((c, i) => {
    const best = modelIndex(c, null);
    return certainPace(c.models[best], page.data.clusters[i]?.models[best]);
  });
  const rows = [...places(page.data)].map(([file, found]): FileCost => {
    let cost = 0;
    const costs = new Map<number, number>();
    for (const place of found.values()) {
      cost += place.cost;
      for (const c of place.clusters) costs.set(c, (costs.get(c) ?? 0) + place.cost);
    }
    let steepest: number | null = null;
    for (const [c, part] of costs) {
      const pace = paces[c] ?? null;
      if (pace === null || part < MATTERS * cost) continue;
      if (steepest === null || pace > (paces[steepest] ?? 0)) steepest = c;
    }
    return { file, cost, share: 0, locations: found.size, steepest };
  });
  const total = rows.reduce((sum, r) => sum + r.cost, 0);
  for (const row of rows) row.share = total > 0 ? row.cost / total : 0;
  return rows.sort((a, b) => b.cost - a.cost || (a.file < b.file ? -1 : 1));
}

/** The model that a cluster's line is labelled with: that of the feature looked at, else the best. */
export function shownModel(page: Page, cluster: number, feature: string | null): Model | undefined {
  const row = page.findings.clusters[cluster];
  if (!row) return undefined;
  const i = modelIndex(row, feature);
  return row.models[i] ?? row.models[modelIndex(row, null)];
}
