/**
 * The page's state, as its address describes it: the view, its data, the chosen feature, the colours, and the target of
 * every prediction. The address is `#/view/stable-id?key=value…`. It holds everything visible, so that a link restores
 * the view and back and forward work. Ids come from content (`blocksort.c:459`), never from a rank.
 */

import { computed, effect, signal } from '@preact/signals';

import { putList } from '../data/law';
import { sameSize } from '../data/models';
import { ask as askModule } from '../data/module';
import { functionId, type Page } from '../data/page';
import type { Point } from '../data/types';
import { featureSize, parseQuantity, tick } from '../format/number';
import { visible } from '../format/text';

interface Route {
  view: string;
  /** The rest of the path, decoded; empty if there is none. */
  id: string;
  params: URLSearchParams;
}

type Params = Record<string, string | number | string[] | null | undefined>;

/** Parameters that links keep: the chosen feature, the target sizes and the colours. */
const CARRIED = ['feature', 'at', 'theme'];

export function parse(hash: string): Route {
  const [, view, id = '', query] = /^#?\/?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(hash) ?? [];
  return { view: view || 'overview', id: decode(id), params: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A truncated link: a page that says "unknown" is better than none.
  }
}

function write(view: string, id: string, params: URLSearchParams): string {
  const path = id ? `${view}/${encodeId(id)}` : view;
  const query = params.toString();
  return `#/${path}${query ? `?${query}` : ''}`;
}

/**
 * Encodes an id for the address. Slashes and colons of paths stay readable. Lone surrogates are replaced, because they
 * cannot be encoded.
 */
function encodeId(id: string): string {
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/%2F/g, '/')
    .replace(/%3A/g, ':');
}

export const route = signal<Route>(parse(location.hash));

for (const change of ['hashchange', 'popstate']) {
  addEventListener(change, () => (route.value = parse(location.hash)));
}

/** Returns a link to another view, with the parameters that links keep and those in `params`. */
export function href(view: string, id = '', params: Params = {}): string {
  const kept = new URLSearchParams();
  for (const key of CARRIED) {
    for (const value of route.value.params.getAll(key)) kept.append(key, value);
  }
  return write(view, id, assign(kept, params));
}

/** Returns a link to the page of a function; `null` if there is none, for example because it was removed. */
export function functionLink(place: { name: string; file: string } | null | undefined): string | null {
  const id = place ? functionId(place) : '';
  return page.value.find('function', id) ? href('function', id) : null;
}

/** Returns the present address with some parameters changed; `null` removes one. */
export function hrefHere(params: Params): string {
  const { view, id, params: now } = route.value;
  return write(view, id, assign(new URLSearchParams(now), params));
}

/**
 * Changes parameters of the present view. A choice (a tab, a finished filter) is a step that "back" undoes. A value
 * that changes while the pointer moves or the reader types replaces the present step.
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
    location.hash = hash; // If a sandbox forbids the history, the hash still works.
  }
}

function assign(into: URLSearchParams, params: Params): URLSearchParams {
  for (const [key, value] of Object.entries(params)) {
    into.delete(key);
    for (const one of [value].flat()) {
      if (one !== null && one !== undefined && one !== '') into.append(key, String(one));
    }
  }
  return into;
}

/** Returns a parameter as a signal of its own, so that its readers are drawn again only when it changes. */
export function param(key: string) {
  return computed(() => route.value.params.get(key));
}

/** The page's data: set once before anything is drawn, and again when a served study changes. */
export const page = signal<Page>(undefined as unknown as Page);

const featureParam = param('feature');

/** The feature chosen in the address; `null` shows each row with the feature that explains it best. */
export const feature = computed<string | null>(() => {
  const name = featureParam.value;
  return name !== null && page.value.featureIndex.has(name) ? name : null;
});

export const theme = param('theme');

/** Keeps the document's colours in step with the address. */
export function followTheme(): void {
  effect(() => {
    const wanted = theme.value;
    const root = document.documentElement;
    if (wanted === 'light' || wanted === 'dark') root.dataset['theme'] = wanted;
    else delete root.dataset['theme'];
  });
}

/** A feature's value at the target. */
export interface Place {
  feature: string;
  at: number;
  given: 'asked' | 'usual' | 'follows' | 'costliest';
  /** The feature that this one follows. */
  leader?: string;
  /** The value as typed, for boxes and command lines. */
  text: string;
}

/** The default target: ten times the 95th percentile. */
const USUAL_MULTIPLE = 10;

/** Multiples of the 95th percentile that one key press or click selects. */
export const MULTIPLES = [1, 2, USUAL_MULTIPLE, 100];

/** The sizes in the address, as one text: predictions are recomputed only when it changes. */
const inAddress = computed(() => JSON.stringify(route.value.params.getAll('at')));

/** The sizes that the address asks for: `at=x:640&at=y:1k`. */
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

/**
 * Parses a size as people write it: a quantity, or `3x` for a multiple of the 95th percentile; `null` if it is neither.
 */
export function readSize(name: string, text: string): number | null {
  const [, times] = /^\s*([\d.]+)\s*[x×]\s*$/.exec(text) ?? [];
  if (times === undefined) return parseQuantity(text);
  const at = Number(times) * p95Of(name);
  return at > 0 && at < Infinity ? at : null;
}

/** Returns the 95th percentile of a feature's values; 0 if it has none. */
export function p95Of(name: string): number {
  return page.value.findings.features[page.value.featureIndex.get(name) ?? -1]?.p95 ?? 0;
}

/** Sets the target size of one feature; an empty text removes it. */
export function ask(name: string, text: string): void {
  const others = [...asked.value]
    .filter(([known]) => known !== name)
    .map(([known, s]) => `${known}:${s.text}`);
  setParams({ at: text.trim() === '' ? others : [...others, `${name}:${text.trim()}`] });
}

/** The target: the features that have a value there. Missing values are filled in as the analysis does. */
export const target = computed(() => placesOf(asked.value));

/**
 * The feature along which the target moves: the chosen one, else the first with a size in the address, else the first.
 */
export const moved = computed<Place | null>(() => {
  const name = feature.value ?? [...asked.value.keys()][0] ?? page.value.findings.features[0]?.name;
  return target.value.find((p) => p.feature === name) ?? null;
});

const isGiven = (p: Place) => p.given === 'asked' || p.given === 'usual';

/** The only requested size, or the default; `null` if several are requested. */
export const theSize = computed<Place | null>(() => {
  const [one, ...others] = target.value.filter(isGiven);
  return others.length === 0 ? (one ?? null) : null;
});

/** Moves the target to a multiple of the 95th percentile of `moved`. */
export function askTimes(times: number): void {
  const name = moved.value?.feature;
  if (name === undefined) return;
  const isUsual = times === USUAL_MULTIPLE && name === page.value.findings.features[0]?.name;
  ask(name, isUsual ? '' : `${Number(times.toPrecision(3))}x`);
}

/** The target as a multiple of the 95th percentile; `null` if there is none. */
export const timesMoved = computed<number | null>(() => {
  const p95 = p95Of(moved.value?.feature ?? '');
  return moved.value && p95 > 0 ? moved.value.at / p95 : null;
});

/** Moves the target to the next of the usual multiples, up or down. */
export function stepTarget(way: 1 | -1): void {
  const now = timesMoved.value;
  if (now === null) return;
  const there = MULTIPLES.filter((k) => (way > 0 ? k > now * 1.01 : k < now * 0.99));
  const next = way > 0 ? there[0] : there.at(-1);
  if (next !== undefined) askTimes(next);
}

/** Returns the target with another size of one feature. */
export function targetWith(feature: string, at: number): Place[] {
  if (target.value.some((p) => p.feature === feature && p.at === at)) return target.value;
  return placesOf(new Map([...asked.value, [feature, { at, text: '' }]]));
}

function placesOf(wanted: ReadonlyMap<string, { at: number; text: string }>): Place[] {
  const { features, fillings = [] } = page.value.findings;
  const p95 = features[0]?.p95 ?? 0;
  const usual = wanted.size === 0 && p95 > 0 ? p95 * USUAL_MULTIPLE : NaN;
  const out: number[] = [];
  putList(out, features, ({ name }) => {
    const { costliest = null, along = [] } = fillings.find((f) => f.feature === name) ?? {};
    const leader = (of: string) => features.findIndex((f) => f.name === of);
    out.push(costliest ?? NaN);
    putList(out, along, (law) => out.push(leader(law.leader), law.a, law.b, law.r2));
  });
  putList(out, features, ({ name }, i) => out.push(wanted.get(name)?.at ?? (i === 0 ? usual : NaN)));
  const filled = askModule('fill_in', out);
  return features.flatMap(({ name }, i): Place[] => {
    const [at = NaN, origin = -1] = filled.slice(2 * i);
    const text = wanted.get(name)?.text;
    if (text !== undefined) return [{ feature: name, at, given: 'asked', text }];
    if (Number.isNaN(at)) return [];
    const leader = features[origin]?.name;
    if (leader !== undefined) return [{ feature: name, at, given: 'follows', leader, text: '' }];
    return [{ feature: name, at, given: origin === -2 ? 'costliest' : 'usual', text: '' }];
  });
}

/** Returns the values of the features, in their order; `null` if one of them has none. */
export function valuesOf(
  places: readonly { feature: string; at: number }[],
  features: string[],
): number[] | null {
  const values = features.map((name) => places.find((p) => p.feature === name)?.at ?? null);
  return values.every((value) => value !== null) ? values : null;
}

/** Returns true if two points are the same. */
export function samePoint(a: readonly { feature: string; at: number }[], b: Point['values']): boolean {
  return (
    a.length === b.length && a.every((p) => b.some((q) => q.feature === p.feature && sameSize(q.at, p.at)))
  );
}

/** Formats a point: `x = 640, y = 1,200 (follows x)`. */
export function pointText(places: readonly Place[]): string {
  const ordered = [...places.filter(isGiven), ...places.filter((p) => !isGiven(p))];
  return ordered.map((p) => `${visible(p.feature).slice(0, 40)} = ${placeText(p)}`).join(', ');
}

/** Formats one value: `1,200 (follows x)`. */
export function placeText({ feature, at, given, leader }: Place): string {
  switch (given) {
    case 'follows':
      return `${featureSize(feature, Number(at.toPrecision(3)))} (follows ${visible(leader ?? '').slice(0, 40)})`;
    case 'costliest':
      return `${featureSize(feature, at)} (as in the most expensive run)`;
    default:
      return featureSize(feature, at);
  }
}

/** Formats the requested or default values of the target: `x = 640`. */
export function givenText(): string {
  return pointText(target.value.filter(isGiven));
}

/** Formats the target with its multiple: `n = 600,000 (10×)`. */
export function targetText(): string {
  const [one, ...others] = target.value.filter(isGiven);
  const p95 = one && others.length === 0 ? p95Of(one.feature) : 0;
  return p95 > 0 ? `${givenText()} (${multiple((one?.at ?? 0) / p95)})` : givenText();
}

/** Formats a multiple: `2.5×`. */
export function multiple(times: number): string {
  return times < 0.01 ? '<0.01×' : `${tick(Number(times.toPrecision(2)))}×`;
}

/** Returns the requested sizes as command-line arguments: `x=640 y=1k`; empty if the address has none. */
export function sizesForCommands(): string[] {
  return [...asked.value].map(
    ([name, { at, text }]) => `${name}=${parseQuantity(text) === null ? at : text}`,
  );
}

/** The target when the address has no sizes. */
export const usualTarget = computed(() => placesOf(new Map()));
