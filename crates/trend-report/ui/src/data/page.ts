/** The data with what is looked up often: rows by their stable ids, members by file. */

import type { Cluster, KindWords, Member, PageData, Row, SeriesRow, RowExtra } from './types';
import { capitalized } from '../format/text';

/** Of a row that the page carries nothing besides the findings of. */
export const NO_EXTRA: RowExtra = { costs: null, exact: true, growth: '', formula: '', band: [], models: [] };

export class Page {
  /** Position in `findings.clusters` by the representative's name. */
  readonly clusterIndex = new Map<string, number>();
  /** Position in `findings.functions` by [`functionId`]. */
  readonly functionIndex = new Map<string, number>();
  readonly featureIndex = new Map<string, number>();
  /** Position in `sources` by path. */
  readonly sourceIndex = new Map<string, number>();

  constructor(readonly data: PageData) {
    const { findings } = data;
    findings.clusters.forEach((c, i) => this.clusterIndex.set(c.representative.name, i));
    findings.functions.forEach((f, i) => this.functionIndex.set(functionId(f), i));
    findings.features.forEach((f, i) => this.featureIndex.set(f.name, i));
    data.sources.forEach((s, i) => this.sourceIndex.set(s.file, i));
  }

  get findings() {
    return this.data.findings;
  }

  cluster(id: string): { cluster: Cluster; extra: RowExtra } | null {
    const i = this.clusterIndex.get(id) ?? -1;
    const cluster = this.findings.clusters[i];
    return cluster ? { cluster, extra: this.data.clusters[i] ?? NO_EXTRA } : null;
  }

  /** What a person calls a cluster, in short. */
  title(cluster: Cluster): string {
    return this.cluster(cluster.representative.name)?.extra.name ?? cluster.title;
  }

  /** The same by the cluster's id. */
  titleOf(id: string): string {
    const found = this.cluster(id);
    return found ? (found.extra.name ?? found.cluster.title) : id;
  }

  function(id: string): { row: Row; extra: RowExtra } | null {
    const i = this.functionIndex.get(id) ?? -1;
    const row = this.findings.functions[i];
    return row ? { row, extra: this.data.functions[i] ?? NO_EXTRA } : null;
  }

  /** How to speak of the places of a series' kind, and of their executions. */
  wordsOf(row: SeriesRow): KindWords {
    return this.data.series_words[row.kind] ?? { place: row.kind, execution: 'execution', size_unit: '' };
  }

  /** What one of the places that have a series is called. */
  get seriesNoun(): string {
    const [words, ...others] = Object.values(this.data.series_words);
    return words && others.length === 0 ? words.place : 'place';
  }

  /** What all places that have a series are called: `Routines`. */
  get seriesTitle(): string {
    const places = Object.values(this.data.series_words).map((words) => `${words.place}s`);
    return capitalized(places.join(' and '));
  }

  /** `[workloads]` values of a feature. */
  featureValues(feature: string): (number | null)[] {
    return this.data.feature_values[this.featureIndex.get(feature) ?? -1] ?? [];
  }
}

/** Stable, and unique where two files have a function of one name. */
export function functionId(row: { name: string; file: string }): string {
  return row.file ? `${row.file}:${row.name}` : row.name;
}

/** The member that a cluster is named by. */
export function namesake(cluster: Cluster): Member | undefined {
  return cluster.members.find((m) => m.name === cluster.named_by) ?? cluster.members[0];
}
