/**
 * Where the reader is: `#/view/stable-id?key=value…`. Everything visible is in the hash, so that a link restores it
 * and back and forward work. Ids come from content (`blocksort.c:459`), never from a rank.
 */

import { computed, signal } from '@preact/signals';

export interface Route {
  view: string;
  /** The rest of the path, decoded; empty where there is none. */
  id: string;
  params: URLSearchParams;
}

export type Params = Record<string, string | number | string[] | null | undefined>;

/** What links keep: the feature that is looked at, the size that predictions are for, and the colours. */
const CARRIED = ['feature', 'at', 'theme'];

export function parse(hash: string): Route {
  const text = hash.replace(/^#\/?/, '');
  const question = text.indexOf('?');
  const path = question < 0 ? text : text.slice(0, question);
  const params = new URLSearchParams(question < 0 ? '' : text.slice(question + 1));
  const slash = path.indexOf('/');
  const view = slash < 0 ? path : path.slice(0, slash);
  return { view: view || 'overview', id: slash < 0 ? '' : decode(path.slice(slash + 1)), params };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A link that somebody cut: better a page that says "unknown" than none.
  }
}

export function write(view: string, id: string, params: URLSearchParams): string {
  const path = id ? `${view}/${encodeId(id)}` : view;
  const query = params.toString();
  return `#/${path}${query ? `?${query}` : ''}`;
}

/** Readable where that is safe: slashes and colons of paths stay. Lone surrogates cannot be encoded. */
function encodeId(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/%2F/g, '/')
    .replace(/%3A/g, ':');
}

export const route = signal<Route>(parse(location.hash));

addEventListener('hashchange', () => {
  route.value = parse(location.hash);
});
addEventListener('popstate', () => {
  route.value = parse(location.hash);
});

/** A link to another page with what links keep and `params` besides. */
export function href(view: string, id = '', params: Params = {}): string {
  const kept = new URLSearchParams();
  for (const key of CARRIED) {
    for (const value of route.value.params.getAll(key)) kept.append(key, value);
  }
  return write(view, id, assign(kept, params));
}

/** The address of what is shown now with some parameters changed; `null` removes one. */
export function hrefHere(params: Params): string {
  const { view, id, params: now } = route.value;
  return write(view, id, assign(new URLSearchParams(now), params));
}

/**
 * Changes parameters of what is shown. A choice (a tab, a filter that was finished) is a step that "back" undoes;
 * what moves while a pointer moves or a person types replaces the present step.
 */
export function setParams(params: Params, step: 'push' | 'replace' = 'replace'): void {
  go(hrefHere(params), step);
}

export function go(hash: string, step: 'push' | 'replace' = 'push'): void {
  if (hash === location.hash) return;
  try {
    if (step === 'push') history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
    route.value = parse(hash);
  } catch {
    location.hash = hash; // Where a sandbox forbids the history, the hash still works.
  }
}

function assign(into: URLSearchParams, params: Params): URLSearchParams {
  for (const [key, value] of Object.entries(params)) {
    into.delete(key);
    const values = Array.isArray(value)
      ? value
      : value === null || value === undefined || value === ''
        ? []
        : [value];
    for (const one of values) into.append(key, String(one));
  }
  return into;
}

/** One parameter as a signal of its own, so that what shows it is drawn again only when it changes. */
export function param(key: string) {
  return computed(() => route.value.params.get(key));
}
