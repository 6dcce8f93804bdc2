/** What the gutter says of each counted line. */

import type { Page } from '../data/page';
import type { Model } from '../data/types';
import { cost, signed } from '../format/number';
import { visible } from '../format/text';
import { LINES_PER_CHUNK } from './chunks';
import { shownModel, type LineCost } from './costs';

export interface GutterLine {
  line: number;
  cost: number;
  /** Of the costliest line of the file. */
  share: number;
  /** `never`: counted, but no run came here. `fixed`: its cost hardly varies, so no cluster has it. */
  kind: 'never' | 'fixed' | 'plain' | 'steep';
  growth: string;
  decided: boolean;
  /** The cluster's rank, `#3`, and `+` where there are more. */
  chip: string;
  /** All of it in words. */
  label: string;
}

/** The counted lines of each chunk. */
export function linesByChunk(lines: LineCost[], chunks: number): LineCost[][] {
  const found: LineCost[][] = Array.from({ length: chunks }, () => []);
  for (const line of lines) found[Math.floor((line.line - 1) / LINES_PER_CHUNK)]?.push(line);
  return found;
}

/** What the gutter says of some lines; `most` is the cost of the costliest of the file. */
export function gutter(page: Page, lines: LineCost[], feature: string | null, most: number): GutterLine[] {
  return lines.map((line) => gutterLine(page, line, feature, most));
}

function gutterLine(page: Page, line: LineCost, feature: string | null, most: number): GutterLine {
  const [first] = line.clusters;
  const cluster = first === undefined ? undefined : page.findings.clusters[first];
  const model = first === undefined ? undefined : shownModel(page, first, feature);
  const steep = model?.growth?.decided === true && model.growth.superlinear === true;
  const kind = line.cost === 0 ? 'never' : !cluster ? 'fixed' : steep ? 'steep' : 'plain';
  const growth = shortGrowth(model);
  const said = [
    `line ${line.line}`,
    kind === 'never' ? 'counted, never executed' : `costs ${cost(line.cost)} at most`,
    kind === 'fixed' ? 'hardly varies' : growth,
    cluster ? `cluster ${cluster.rank}, ${visible(page.title(cluster)).slice(0, 80)}` : '',
  ];
  return {
    line: line.line,
    cost: line.cost,
    share: most > 0 ? line.cost / most : 0,
    kind,
    growth,
    decided: model?.growth?.decided ?? false,
    chip: cluster ? `#${cluster.rank}${line.clusters.length > 1 ? '+' : ''}` : '',
    label: said.filter((part) => part !== '').join(', '),
  };
}

/** `n^2`, `n or n log n ?`; the exponent where there is no verdict. */
export function shortGrowth(model: Model | undefined): string {
  if (!model) return '';
  if (!model.growth) return model.power_law ? `^${signed(model.power_law.b.toFixed(1))}` : '';
  return model.growth.short;
}
