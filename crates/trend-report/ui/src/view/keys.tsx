/**
 * Handles keys without modifiers: the keys of every page, and those that a page adds while it is shown. Ignores keys
 * while the reader types, and keys that a widget has already used.
 */

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { go, href, page, route, stepTarget } from '../state/state';
import { type Pair, Pairs } from './parts';

type Keys = Record<string, () => void>;

/** Keys that pages have added, the latest first. */
const asked: { current: Keys }[] = [];

/** True while the help is open. */
export const helpOpen = signal(false);

/** Pages that `g` and a letter lead to. */
const PLACES: Record<string, string> = {
  o: 'overview',
  f: 'functions',
  r: 'routines',
  s: 'source',
  c: 'compare',
  w: 'workloads',
  h: 'method',
};

/** Keys of every page, for the help. */
const HELP: [string, string][] = [
  ['?', 'this help'],
  ['t', 'the target size of all predictions'],
  ['/', 'find: filter this page, or the functions'],
  ...Object.entries(PLACES).map(([key, place]): [string, string] => [`g ${key}`, place]),
  ['[  ]', 'target down, up: 1×, 2×, 10×, 100×'],
  ['k  j', 'previous, next cluster (or function)'],
  ['n  N', 'next, previous hot line in a file'],
  [':', 'go to a line of a file'],
  ['e', 'open the line in an editor'],
  ['c', 'copy the command for further runs'],
  ['↑ ↓ ← →', 'through the rows of a table, the points of a plot, the counted lines of a file'],
  ['Enter', 'open the focused item, or the line or function that the page suggests'],
  ['Esc', 'close, or return from a box to the page'],
];

/** Time to wait for a letter after `g`. */
const SECOND_KEY_MS = 1500;
let prefix = -Infinity;

/** Adds keys that work while the component is shown. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    asked.unshift(latest);
    return () => {
      asked.splice(asked.indexOf(latest), 1);
    };
  }, []);
}

/** Starts listening for keys; called once. */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTyping(event.target)) {
      if (event.key === 'Escape' || (event.key === 'Enter' && isGood(event.target))) leave(event);
      return;
    }
    if (document.querySelector('dialog[open]')) return;
    if (handle(event.key, event.timeStamp)) event.preventDefault();
  });
}

function handle(key: string, now: number): boolean {
  const waiting = now - prefix < SECOND_KEY_MS;
  prefix = -Infinity;
  if (waiting) {
    const place = Object.hasOwn(PLACES, key) ? PLACES[key] : undefined;
    if (place === undefined) return false;
    go(href(place));
    return true;
  }
  const own = asked.find((keys) => Object.hasOwn(keys.current, key));
  if (own) {
    own.current[key]?.();
    return true;
  }
  const near = key === 'k' ? neighbour(-1) : key === 'j' ? neighbour(1) : null;
  if (near !== null) go(near);
  else if (key === '[') stepTarget(-1);
  else if (key === ']') stepTarget(1);
  else if (key === 'Enter') return follow('#app a.go') || follow('#app button.go');
  else if (key === 'c') return follow('#app button.go');
  else if (key === 'g') prefix = now;
  else if (key === '?') helpOpen.value = true;
  else if (key === 't') return focus('#target-size');
  else if (key === '/') find();
  else return false;
  return true;
}

/** Clicks the matching button, unless the focus is on an element that handles Enter itself. */
function follow(selector: string): boolean {
  const active = document.activeElement;
  const isFree = active === null || active === document.body || active.id === 'main';
  const button = isFree ? document.querySelector<HTMLElement>(selector) : null;
  button?.click();
  return button !== null;
}

/** Element that had the focus before typing. */
let before: HTMLElement | null = null;

/** Moves the focus to the page's filter; if it has none, to the filter of the functions page. */
export function find(): void {
  if (focus(SEARCH)) return;
  go(href('functions'));
  requestAnimationFrame(() => focus(SEARCH));
}

const SEARCH = '#app main input[type="search"]';

function focus(selector: string): boolean {
  const box = document.querySelector<HTMLInputElement>(selector);
  if (!box) return false;
  before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  box.focus();
  box.select();
  return true;
}

/** Moves the focus from a box back to where the reader was, so that trying a size does not lose the place. */
function leave(event: KeyboardEvent): void {
  if (!(event.target instanceof HTMLElement)) return;
  const back = before?.isConnected && before !== document.body ? before : document.getElementById('main');
  before = null;
  event.preventDefault();
  event.target.blur();
  back?.focus({ preventScroll: true });
}

/** Returns true for a target box with a valid size. With an invalid one, Enter keeps the text and the focus. */
const isGood = (target: EventTarget | null) => isMatch(target, '[data-target]:not([aria-invalid=true])');

/** Returns true if the element takes keys as text. Tables and plots use arrows and Enter, which are ignored here. */
const isTyping = (target: EventTarget | null) =>
  isMatch(target, 'textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=range])');

const isMatch = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.matches(selector);

/** Returns the page that `k` or `j` leads to; `null` if there is none. */
function neighbour(step: 1 | -1): string | null {
  const { view, id } = route.value;
  const kind = view === 'cluster' || view === 'function' ? view : null;
  const all = kind ? page.value.all(kind) : [];
  const at = all.findIndex((one) => one.id === id);
  const next = at < 0 ? undefined : all[at + step];
  return next ? href(view, next.id) : null;
}

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  const close = () => (helpOpen.value = false);
  return (
    <dialog
      class="help"
      ref={dialog}
      aria-labelledby="help-title"
      onClose={close}
      onClick={(e) => {
        if (e.target === e.currentTarget) close();
      }}
    >
      {open && (
        <div>
          <h2 id="help-title">Keys</h2>
          <KeyList />
          <p class="note">{page.value.data.legend}</p>
          <p class="row wrap">
            <a href={href('method')} onClick={close}>
              Meaning of the words and numbers
            </a>
            <button type="button" onClick={close}>
              Close
            </button>
          </p>
        </div>
      )}
    </dialog>
  );
}

export function KeyList() {
  const keys = (text: string) => text.split(/ +/).map((k) => <kbd key={k}>{k}</kbd>);
  return <Pairs kind="keys" of={HELP.map(([text, what]): Pair => [keys(text), what])} />;
}
