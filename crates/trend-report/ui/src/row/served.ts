/** Exact costs of single rows, from the trend-prof that serves the page; a page from a file does without. */

import { useEffect, useState } from 'preact/hooks';

import type { PointsAnswer } from '../data/api';
import { page } from '../state/store';

/** What the costs are of, as the server is asked: a cluster, or a location, or a function in a file. */
export type Of = { cluster: string } | { location: string; file?: string };

/** Answers to those that were asked last. */
const known = new Map<string, Promise<number[] | null>>();
const KEPT = 50;

/** `[workloads]` costs; `null` until they come, where nobody serves the page, and where the server has none. */
export function useServedCosts(of: Of | null): number[] | null {
  const query = of && page.value.data.served ? new URLSearchParams(of).toString() : null;
  const { revision } = page.value.data;
  const [costs, setCosts] = useState<{ query: string; costs: number[] | null } | null>(null);
  useEffect(() => {
    if (query === null) return;
    let wanted = true;
    void ask(revision, query).then((answer) => wanted && setCosts({ query, costs: answer }));
    return () => {
      wanted = false;
    };
  }, [query, revision]);
  return costs !== null && costs.query === query ? costs.costs : null;
}

function ask(revision: string, query: string): Promise<number[] | null> {
  const key = `${revision}\n${query}`;
  const before = known.get(key);
  if (before) return before;
  const answer = load(revision, query);
  known.set(key, answer);
  for (const old of known.keys()) {
    if (known.size <= KEPT) break;
    known.delete(old);
  }
  // The next time it may work.
  void answer.then((costs) => costs ?? known.delete(key));
  return answer;
}

async function load(revision: string, query: string): Promise<number[] | null> {
  try {
    const answer = await fetch(`/api/points?${query}`);
    if (!answer.ok) return null;
    const said = (await answer.json()) as PointsAnswer;
    // Of a study that has grown since, the workloads may be others.
    const { data } = page.peek();
    if (said.revision !== revision || data.revision !== revision) return null;
    return said.costs.length === data.workloads.length ? said.costs : null;
  } catch {
    return null; // The server has gone: the page goes on as one from a file.
  }
}
