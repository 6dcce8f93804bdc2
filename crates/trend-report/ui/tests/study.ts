/** Builds a study from text, for tests: `file:line function [clusters] cost`. */

import { Page } from '../src/data/page';
import type { Cluster, Law, LawFactor, GrowthSupport, Member, Model, PageData } from '../src/data/types';

/** Returns the term of a class written as `1`, `n^2 log n`, `2^n`, `n·2^n` or `n!`. */
export function term(name: string): LawFactor {
  if (name === 'n!') return { kind: 'factorial', feature: 0 };
  const exponential = /^(n·)?([0-9.]+)\^n$/.exec(name);
  if (exponential) {
    const kind = exponential[1] === undefined ? 'exponential' : 'times_exponential';
    return { kind, feature: 0, base: Number(exponential[2]) };
  }
  const power = /n\^([0-9.]+)/.exec(name);
  const plain = /^n( |$)/.test(name) ? 1 : 0;
  return { kind: 'power', feature: 0, exponent: power ? Number(power[1]) : plain, log: name.includes('log') };
}

/** Returns a class that a verdict names. */
export function growthClass(name: string): GrowthSupport {
  return { class: name, support: 1, formula: name, spread: 0, named: true, term: term(name) };
}

/** Returns a model `a·n^b` that is certain of `named`. */
export function model(b: number, named: string[], feature = 'n'): Model {
  return {
    feature,
    power_law: {
      a: 2,
      a_ci: [1.9, 2.1],
      b,
      b_ci: [b - 0.1, b + 0.1],
      r2: 0.99,
      points: 9,
      sizes: 9,
      span: 100,
      ignored_zeros: 0,
    },
    linear: null,
    growth: {
      verdict: named.join(' or '),
      short: named.join(' or '),
      decided: named.length === 1,
      superlinear: b > 1.05,
      points: 9,
      classes: named.map(growthClass),
    },
    source: named.length === 1 ? 'class' : 'classes',
    pace: b,
    predictions: [],
    doubts: [],
  };
}

/** Returns the law `2·n^b`. */
export function law(b: number): Law {
  const factor = { kind: 'power', feature: 0, exponent: b, log: false } as const;
  const sums = [{ weight: 1, terms: [{ coefficient: 2, factors: [factor] }] }];
  return { source: 'class', decided: true, features: ['n'], formula: `2·n^${b}`, parts: [{ sums }] };
}

export function study(places: string, models: Record<string, [number, string[]]>): Page {
  const clusters = new Map<string, Cluster>();
  const constant: PageData['constant'] = {
    name: [],
    file: [],
    line: [],
    lines: [],
    function: [],
    max_cost: [],
    files: [],
    functions: [],
  };
  for (const text of places.trim().split('\n')) {
    const [name = '', fn = '', ids = '', cost = '0'] = text.trim().split(/\s+/);
    const [file = '', numbers = ''] = name.split(':');
    const lines = numbers.split('#')[0]?.split(',').map(Number) ?? [];
    const member: Member = {
      name,
      function: fn,
      file,
      own: true,
      line: lines[0] ?? 0,
      lines,
      block: 0,
      r2: 1,
      max_cost: Number(cost),
    };
    if (ids === '-') {
      const at = (list: string[], text: string) =>
        list.includes(text) ? list.indexOf(text) : list.push(text) - 1;
      constant.name.push(name);
      constant.file.push(at(constant.files, file));
      constant.line.push(member.line);
      constant.lines.push(lines.slice(1));
      constant.function.push(at(constant.functions, fn));
      constant.max_cost.push(member.max_cost);
      continue;
    }
    for (const id of ids.split(',')) {
      const cluster = clusters.get(id) ?? emptyCluster(clusters.size + 1, name, models[id]);
      clusters.set(id, cluster);
      cluster.members.push(member);
      cluster.max_cost += member.max_cost;
    }
  }
  const rows = [...clusters.values()];
  return new Page({
    schema: 'trend-prof/page/3',
    generated_by: 'trend-prof test',
    study: 'a.trend',
    root: '',
    served: false,
    revision: '1',
    findings: {
      schema: 'trend-prof/findings/2',
      program: { name: 'a' },
      unit: 'executions',
      seed: 1,
      alpha: 0.02,
      level: 0.95,
      intervals: 'robust',
      resamples: 0,
      workloads: { count: 9, failed: 0, failures: [] },
      features: [{ name: 'n', min: 1, p95: 100, max: 100, missing: 0, not_positive: 0 }],
      locations: { total: 0, varying: 0, unstable: 0 },
      points: [],
      total: { max_cost: 1000, models: [], outlooks: [], law: null, scatter: null },
      clusters: rows,
      functions: [],
      series: [],
      doubts: [],
    },
    answer: { uncounted: false, doubts: [], seconds: [] },
    legend: '',
    method: '',
    words: [],
    costly_share: 0.02,
    workloads: [],
    feature_values: [[1, 10, 100]],
    call_trees: [],
    series_words: {},
    constant,
    sources: [],
  });
}

function emptyCluster(rank: number, name: string, [b, named]: [number, string[]] = [1, ['n']]): Cluster {
  return {
    rank,
    title: name,
    named_by: name,
    representative: { kind: 'location', name },
    costly: true,
    max_cost: 0,
    max_share: 0,
    share_now: 1,
    function_count: 1,
    share_of_largest: 0,
    members: [],
    features: ['n'],
    models: [model(b, named)],
    outlooks: [],
    law: law(b),
    overtakes: [],
  };
}
