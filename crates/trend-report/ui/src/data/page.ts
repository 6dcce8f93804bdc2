/** Wraps the data with lookups: clusters and functions by stable id, features and source files by name. */

import { capitalized } from '../format/text';
import { once } from './columns';
import type { Cluster, KindWords, Member, PageData, Row, SeriesRow } from './types';

export type Kind = 'cluster' | 'function';

/** A cluster or a function, with its names. */
export interface Subject<R = Cluster | Row> {
  kind: Kind;
  /** Stable identifier, used in addresses. */
  id: string;
  /** Short name to display. */
  title: string;
  /** Full name, for search and titles. */
  fullTitle: string;
  /** Name on the command line. */
  name: string;
  /** Location; for a function, its line to look at; for a cluster, the location that names it. */
  file: string;
  line: number;
  function: string;
  costly: boolean;
  row: R;
}

export class Page {
  readonly featureIndex = new Map<string, number>();
  /** Position in `sources` by path. */
  readonly sourceIndex = new Map<string, number>();
  /** Clusters and functions in the order of the findings. */
  private readonly lists = {
    cluster: once(() => this.findings.clusters.map(ofCluster)),
    function: once(() => ofFunctions(this.data)),
  };
  private readonly known = {
    cluster: once(() => new Map(this.clusters.map((one) => [one.id, one]))),
    function: once(() => new Map(this.functions.map((one) => [one.id, one]))),
  };

  private readonly shortNames = once(() => {
    const { functions, clusters } = this.findings;
    const names = [
      ...functions.map((row) => [row.name, row.short_name] as const),
      ...clusters.map((row) => [row.title, row.short_name] as const),
    ];
    return new Map(names.flatMap(([name, short]) => (short === undefined ? [] : [[name, short]])));
  });

  constructor(readonly data: PageData) {
    data.findings.features.forEach((f, i) => this.featureIndex.set(f.name, i));
    data.sources.forEach((s, i) => this.sourceIndex.set(s.file, i));
  }

  get findings() {
    return this.data.findings;
  }

  get clusters() {
    return this.lists.cluster();
  }

  get functions() {
    return this.lists.function();
  }

  all(kind: Kind): Subject[] {
    return this.lists[kind]();
  }

  find(kind: Kind, id: string): Subject | undefined {
    return this.known[kind]().get(id);
  }

  /** Returns the name of a function or a cluster without the arguments of generics. */
  shortName(name: string): string {
    return this.shortNames().get(name) ?? name;
  }

  /** True if the study's runs can be repeated; imported counts cannot. */
  get hasRuns(): boolean {
    return this.data.workloads.some((run) => run.command !== '');
  }

  /** Returns the words for the places of a series' kind and for their executions. */
  wordsOf(row: SeriesRow): KindWords {
    return this.data.series_words[row.kind] ?? { place: row.kind, execution: 'execution', size_unit: '' };
  }

  /** The noun for one place that has a series; `place` if there are several kinds. */
  get seriesNoun(): string {
    const [words, ...others] = Object.values(this.data.series_words);
    return words && others.length === 0 ? words.place : 'place';
  }

  /** The title for all places that have a series: `Routines`. */
  get seriesTitle(): string {
    const places = Object.values(this.data.series_words).map((words) => `${words.place}s`);
    return capitalized(places.join(' and '));
  }

  /** `[workloads]`: returns the values of a feature. */
  featureValues(feature: string): (number | null)[] {
    return this.data.feature_values[this.featureIndex.get(feature) ?? -1] ?? [];
  }
}

function ofCluster(row: Cluster): Subject<Cluster> {
  const { costly, title, short_name, representative } = row;
  const { file = '', line = 0, function: of = '' } = namesake(row) ?? {};
  const { name } = representative;
  return {
    kind: 'cluster',
    id: name,
    title: short_name ?? title,
    fullTitle: title,
    name,
    file,
    line,
    function: of,
    costly,
    row,
  };
}

function ofFunctions({ findings, answer, costly_share }: PageData): Subject<Row>[] {
  const lines = new Map(answer.candidates?.functions.map((one) => [one.function, one.line]));
  return findings.functions.map((row, i) => {
    const { name, file, short_name: title = name } = row;
    // 0 is no line.
    const line = (lines.get(i) ?? 0) || row.line;
    const [id, costly] = [functionId(row), row.max_share > costly_share];
    return { kind: 'function', id, title, fullTitle: name, name, file, line, function: name, costly, row };
  });
}

/** Returns an id that stays unique if two files have a function of the same name. */
export function functionId(row: { name: string; file: string }): string {
  return row.file ? `${row.file}:${row.name}` : row.name;
}

/** Returns the member that a cluster is named after. */
function namesake(cluster: Cluster): Member | undefined {
  return cluster.members.find((m) => m.name === cluster.named_by) ?? cluster.members[0];
}
