/** Computes the costs of the program's lines and files, now and at the target: pure functions over the findings. */

import { modelIndex } from '../data/models';
import type { Page } from '../data/page';
import { rowEstimate } from '../data/predict';
import type { Model, PageData } from '../data/types';
import { signed } from '../format/number';
import type { Place as Point } from '../state/state';

/** A location with the fields that lines need. */
interface Place {
  name: string;
  function: string;
  lines: number[];
  cost: number;
  /** Its clusters, with positions in `findings.clusters`, by falling R²; empty for a location that hardly varies. */
  clusters: { index: number; r2: number }[];
}

export interface LineCost {
  line: number;
  /** Cost in its most expensive run; 0 = counted, but never executed. */
  cost: number;
  /** Cost at the target, as its clusters grow. */
  then: number;
  /** Clusters with a location on this line, the most expensive location's first; positions in `findings.clusters`. */
  clusters: number[];
  functions: string[];
  /** Names of the locations, the most expensive first. */
  locations: string[];
}

export interface FileCost {
  file: string;
  /** Cost of all its locations, each in its most expensive run; `then` is the cost at the target. */
  cost: number;
  then: number;
  /** Shares of the sums over all files. */
  share: number;
  shareThen: number;
  locations: number;
  /** Position of the cluster that certainly grows fastest among those with a notable cost; `null` if none is known. */
  steepest: number | null;
}

/** Returns `[clusters]`: each cluster's cost at the target as a multiple of its cost now; 1 if unknown. */
export function timesThen({ findings }: Page, point: readonly Point[]): number[] {
  return findings.clusters.map((row) => {
    const then = rowEstimate(row, point);
    return then && row.max_cost > 0 ? then.cost / row.max_cost : 1;
  });
}

/** Minimum share of a file's cost for a cluster's class to represent the file. */
const MATTERS = 0.001;

const placesOf = new WeakMap<PageData, Map<string, Map<string, Place>>>();

/** Returns every location once, by file and name. A location can be a member of several clusters. */
function places(data: PageData): Map<string, Map<string, Place>> {
  const known = placesOf.get(data);
  if (known) return known;
  const files = new Map<string, Map<string, Place>>();
  const placeOf = (file: string, place: Omit<Place, 'clusters'>): Place => {
    const here = files.get(file) ?? new Map<string, Place>();
    const found = here.get(place.name) ?? { ...place, clusters: [] };
    files.set(file, here.set(place.name, found));
    return found;
  };
  data.findings.clusters.forEach((cluster, index) => {
    for (const m of cluster.members) {
      const lines = m.lines.length > 0 ? m.lines : [m.line];
      const place = placeOf(m.file, { name: m.name, function: m.function, lines, cost: m.max_cost });
      place.clusters.push({ index, r2: m.r2 });
      place.clusters.sort((a, b) => b.r2 - a.r2 || a.index - b.index);
    }
  });
  const { constant } = data;
  constant.name.forEach((name, i) =>
    placeOf(constant.files[constant.file[i] ?? -1] ?? '', {
      name,
      function: constant.functions[constant.function[i] ?? -1] ?? '',
      lines: [...new Set([constant.line[i] ?? 0, ...(constant.lines[i] ?? [])])],
      cost: constant.max_cost[i] ?? 0,
    }),
  );
  placesOf.set(data, files);
  return files;
}

/** Returns a location's cost at the target. */
const thenOf = ({ cost, clusters: [first] }: Place, times: readonly number[]) =>
  cost * (first ? (times[first.index] ?? 1) : 1);

/**
 * Returns the counted lines of a file, ascending. Blocks of one function on one line are parts of one statement, so the
 * most frequent counts. Functions (such as instances of a template) are added up.
 */
export function lineCosts(page: Page, file: string, times: readonly number[] = []): LineCost[] {
  const byLine = new Map<number, Place[]>();
  for (const place of places(page.data).get(file)?.values() ?? []) {
    for (const line of place.lines) {
      if (!(line > 0)) continue;
      const here = byLine.get(line);
      if (here) here.push(place);
      else byLine.set(line, [place]);
    }
  }
  return [...byLine].sort((a, b) => a[0] - b[0]).map(([line, here]) => lineCost(line, here, times));
}

function lineCost(line: number, here: Place[], times: readonly number[]): LineCost {
  here.sort((a, b) => b.cost - a.cost);
  const sum = (of: (place: Place) => number) => {
    const most = new Map<string, number>();
    for (const place of here) most.set(place.function, Math.max(most.get(place.function) ?? 0, of(place)));
    return [...most.values()].reduce((all, cost) => all + cost, 0);
  };
  return {
    line,
    cost: sum((place) => place.cost),
    then: sum((place) => thenOf(place, times)),
    clusters: [...new Set(here.flatMap((p) => p.clusters.map((c) => c.index)))],
    functions: [...new Set(here.map((p) => p.function))].filter((f) => f !== ''),
    locations: here.map((p) => p.name),
  };
}

/**
 * Returns the lines that are hot at the target, ascending. `costly` is the cost from which a line is costly for the
 * program.
 */
export function hotLines(lines: LineCost[], costly: number): number[] {
  const most = lines.reduce((max, l) => Math.max(max, l.then), 0);
  if (most === 0) return [];
  // If no line here is costly for the program, takes the most expensive lines of the file.
  const threshold = most >= costly ? costly : most / 10;
  return lines.filter((l) => l.then >= threshold).map((l) => l.line);
}

/** Returns the next of ascending `lines` after (or before) `from`; wraps around at the ends. */
export function nextLine(lines: number[], from: number, step: 1 | -1): number | null {
  const next = step > 0 ? lines.find((l) => l > from) : lines.findLast((l) => l < from);
  return next ?? (step > 0 ? lines[0] : lines[lines.length - 1]) ?? null;
}

/** Returns the files with counted locations, the most expensive at the target first. */
export function fileCosts(page: Page, times: readonly number[] = []): FileCost[] {
  const paces = page.findings.clusters.map((c) => c.models[modelIndex(c, null)]?.pace ?? null);
  const rows = [...places(page.data)].map(([file, found]): FileCost => {
    let [cost, then] = [0, 0];
    const costs = new Map<number, number>();
    for (const place of found.values()) {
      cost += place.cost;
      then += thenOf(place, times);
      for (const { index } of place.clusters) costs.set(index, (costs.get(index) ?? 0) + place.cost);
    }
    let steepest: number | null = null;
    for (const [c, part] of costs) {
      const pace = paces[c] ?? null;
      if (pace === null || part < MATTERS * cost) continue;
      if (steepest === null || pace > (paces[steepest] ?? 0)) steepest = c;
    }
    return { file, cost, then, share: 0, shareThen: 0, locations: found.size, steepest };
  });
  const [total, totalThen] = [
    rows.reduce((sum, r) => sum + r.cost, 0),
    rows.reduce((sum, r) => sum + r.then, 0),
  ];
  for (const row of rows) {
    row.share = total > 0 ? row.cost / total : 0;
    row.shareThen = totalThen > 0 ? row.then / totalThen : 0;
  }
  return rows.sort((a, b) => b.then - a.then || (a.file < b.file ? -1 : 1));
}

/** Returns the model that labels a cluster's line: the one in the chosen feature, or else the best. */
export function shownModel(
  page: Page,
  cluster: number | null | undefined,
  feature: string | null,
): Model | undefined {
  const row = page.findings.clusters[cluster ?? -1];
  if (!row) return undefined;
  return row.models[modelIndex(row, feature)] ?? row.models[modelIndex(row, null)];
}

/** Formats a growth: `n^2`, `n or n log n ?`; the exponent if there is no verdict. */
export function shortGrowth(model: Model | undefined): string {
  if (!model) return '';
  if (!model.growth) return model.power_law ? `^${signed(model.power_law.b.toFixed(1))}` : '';
  return model.growth.short;
}
