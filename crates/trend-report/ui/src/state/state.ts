/** What the page shows, as its address says: where the reader is, the data and the feature that is looked at, the colours, and the target of every prediction. The address is `#/view/stable-id?key=value…`: everything visible is in it, so that a link restores it and back and forward work. Ids come from content (`blocksort.c:459`), never from a rank. */

import { computed, effect, signal } from '@preact/signals';

import { sameSize } from '../data/models';
import type { Page } from '../data/page';
import type { Point } from '../data/types';
import { parseQuantity, size, tick } from '../format/number';
import { visible } from '../format/text';

interface Route {
  view: string;
  /** The rest of the path, decoded; empty where there is none. */
  id: string;
  params: URLSearchParams;
}

type Params = Record<string, string | number | string[] | null | undefined>;

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

function write(view: string, id: string, params: URLSearchParams): string {
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

/** Set once before anything is drawn, and again when a served study changes. */
export const page = signal<Page>(undefined as unknown as Page);

const featureParam = param('feature');

/** The feature that is asked for in the address; `null`: for each row the one that explains it best. */
export const feature = computed<string | null>(() => {
  const name = featureParam.value;
  return name !== null && page.value.featureIndex.has(name) ? name : null;
});

export const theme = param('theme');

/** Keeps the document's colours as the address says. */
export function followTheme(): void {
  effect(() => {
    const wanted = theme.value;
    const root = document.documentElement;
    if (wanted === 'light' || wanted === 'dark') root.dataset['theme'] = wanted;
    else delete root.dataset['theme'];
  });
}

/** A feature's value at the point. */
export interface Place {
  feature: string;
  at: number;
  given: 'asked' | 'usual' | 'follows' | 'costliest';
  /** The feature that it goes along with. */
  leader?: string;
  /** As it was typed; for boxes and command lines. */
  text: string;
}

/** Ten times the 95th percentile is what predictions are for where nobody asks. */
const USUAL_MULTIPLE = 10;

/** Multiples of it that are one press away. */
export const MULTIPLES = [1, 2, USUAL_MULTIPLE, 100];

/** As the address has them; one text, so that what is predicted is computed anew only where these change. */
const inAddress = computed(() => JSON.stringify(route.value.params.getAll('at')));

/** The sizes that somebody asked for: `at=x:640&at=y:1k` in the address. */
export const asked = computed<ReadonlyMap<string, { at: number; text: string }>>(() => {
  const found = new Map<string, { at: number; text: string }>();
  for (const value of JSON.parse(inAddress.value) as string[]) {
    const colon = value.lastIndexOf(':');
    const name = colon < 0 ? (page.value.findings.features[0]?.name ?? '') : value.slice(0, colon);
    const text = value.slice(colon + 1);
    const at = readSize(name, text);
    if (at !== null && page.value.featureIndex.has(name)) found.set(name, { at, text });
  }
  return found;
});

/** A size as people write it: a quantity, or `3x` for a multiple of the 95th percentile; `null` for what is none. */
export function readSize(name: string, text: string): number | null {
  const [, times] = /^\s*([\d.]+)\s*[x×]\s*$/.exec(text) ?? [];
  if (times === undefined) return parseQuantity(text);
  const at = Number(times) * p95Of(name);
  return at > 0 && at < Infinity ? at : null;
}

/** The 95th percentile of a feature's values; 0 where it has none. */
export function p95Of(name: string): number {
  return page.value.findings.features[page.value.featureIndex.get(name) ?? -1]?.p95 ?? 0;
}

/** Asks for a size of one feature; an empty text for none. */
export function ask(name: string, text: string): void {
  const others = [...asked.value]
    .filter(([known]) => known !== name)
    .map(([known, s]) => `${known}:${s.text}`);
  setParams({ at: text.trim() === '' ? others : [...others, `${name}:${text.trim()}`] });
}

/** The point, by the features that have a value there; as the analysis fills in what is not given. */
export const target = computed(() => placesOf(asked.value));

/** The feature that the target is moved along: the one looked at, else the first that was asked for, else the first. */
export const moved = computed<Place | null>(() => {
  const name = feature.value ?? [...asked.value.keys()][0] ?? page.value.findings.features[0]?.name;
  return target.value.find((p) => p.feature === name) ?? null;
});

/** Moves the target to a multiple of the 95th percentile of `moved`. */
export function askTimes(times: number): void {
  const name = moved.value?.feature;
  if (name === undefined) return;
  const isUsual = times === USUAL_MULTIPLE && name === page.value.findings.features[0]?.name;
  ask(name, isUsual ? '' : `${Number(times.toPrecision(3))}x`);
}

/** How many times the 95th percentile the target is; `null` where there is none. */
export const timesMoved = computed<number | null>(() => {
  const p95 = p95Of(moved.value?.feature ?? '');
  return moved.value && p95 > 0 ? moved.value.at / p95 : null;
});

/** To the next of the usual multiples, up or down. */
export function stepTarget(way: 1 | -1): void {
  const now = timesMoved.value;
  if (now === null) return;
  const there = MULTIPLES.filter((k) => (way > 0 ? k > now * 1.01 : k < now * 0.99));
  const next = way > 0 ? there[0] : there.at(-1);
  if (next !== undefined) askTimes(next);
}

/** The same with another size of one feature. */
export function targetWith(feature: string, at: number): Place[] {
  if (target.value.some((p) => p.feature === feature && p.at === at)) return target.value;
  return placesOf(new Map([...asked.value, [feature, { at, text: '' }]]));
}

function placesOf(wanted: ReadonlyMap<string, { at: number; text: string }>): Place[] {
  const { features, fillings = [] } = page.value.findings;
  const p95 = features[0]?.p95 ?? 0;
  const usual = wanted.size === 0 && p95 > 0 ? p95 * USUAL_MULTIPLE : null;
  const given = (name: string) => wanted.get(name)?.at ?? (name === features[0]?.name ? usual : null);
  return features.flatMap(({ name }): Place[] => {
    const known = wanted.get(name);
    if (known) return [{ feature: name, ...known, given: 'asked' }];
    const at = given(name);
    if (at !== null) return [{ feature: name, at, given: 'usual', text: '' }];
    const filling = fillings.find((f) => f.feature === name);
    const along = filling?.along.filter((a) => given(a.leader) !== null).sort((a, b) => b.r2 - a.r2)[0];
    if (along) {
      const value = along.a * (given(along.leader) ?? NaN) ** along.b;
      return [{ feature: name, at: value, given: 'follows', leader: along.leader, text: '' }];
    }
    const costliest = filling?.costliest ?? null;
    return costliest === null ? [] : [{ feature: name, at: costliest, given: 'costliest', text: '' }];
  });
}

/** The values of features, in their order; `null` where one has none. */
export function valuesOf(
  places: readonly { feature: string; at: number }[],
  features: string[],
): number[] | null {
  const values = features.map((name) => places.find((p) => p.feature === name)?.at ?? null);
  return values.every((value) => value !== null) ? values : null;
}

/** Whether two points are one. */
export function samePoint(a: readonly { feature: string; at: number }[], b: Point['values']): boolean {
  return (
    a.length === b.length && a.every((p) => b.some((q) => q.feature === p.feature && sameSize(q.at, p.at)))
  );
}

/** `x = 640, y = 1,200 (goes along with x)`. */
export function pointText(places: readonly Place[]): string {
  const ordered = [...places.filter(isGiven), ...places.filter((p) => !isGiven(p))];
  return ordered.map((p) => `${visible(p.feature).slice(0, 40)} = ${placeText(p)}`).join(', ');
}

/** `1,200 (goes along with x)`. */
export function placeText({ at, given, leader }: Place): string {
  switch (given) {
    case 'follows':
      return `${size(Number(at.toPrecision(3)))} (goes along with ${visible(leader ?? '').slice(0, 40)})`;
    case 'costliest':
      return `${size(at)} (as in the costliest run)`;
    default:
      return size(at);
  }
}

const isGiven = (p: Place) => p.given === 'asked' || p.given === 'usual';

/** What was asked for, or is asked for by default: `x = 640`. */
export function givenText(): string {
  return pointText(target.value.filter(isGiven));
}

/** The same with its multiple, as the terminal says it: `10× (n = 600,000)`. */
export function targetText(): string {
  const [one, ...others] = target.value.filter(isGiven);
  const p95 = one && others.length === 0 ? p95Of(one.feature) : 0;
  return p95 > 0 ? `${multiple((one?.at ?? 0) / p95)} (${givenText()})` : givenText();
}

/** `2.5×` */
export function multiple(times: number): string {
  return `${tick(Number(times.toPrecision(2)))}×`;
}

/** As the command line takes it: `x=640 y=1k`; nothing where nobody asked. */
export function sizesForCommands(): string[] {
  return [...asked.value].map(
    ([name, { at, text }]) => `${name}=${parseQuantity(text) === null ? at : text}`,
  );
}

/** The point where nobody asks. */
export const usualTarget = computed(() => placesOf(new Map()));
