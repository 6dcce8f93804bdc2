/**
 * Shows a file as a table: each line's cost now and at the target, its loop, and its code. Lines are grouped in
 * stretches. A stretch far from the viewport is plain text of the same height, which the browser can still search.
 */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { shown as shownWith } from '../data/predict';
import type { LoopRow, Model } from '../data/types';
import { cost } from '../format/number';
import { shorten, visible } from '../format/text';
import { type LineCost, nextLine, shortGrowth, shownModel } from './costs';
import { widest } from './load';
import { briefTripsText, loopsOf, marksOf, MOST_BRACKETS, placeText, tripsSentence } from './loops';
import { ownRow } from './panel';
import { paint, tokens, tokensByLine, unpaint, whenNear } from './tokens';
import { feature, page, setParams } from '../state/state';
import { Badge, ClassText, isDoubt } from '../view/parts';

/** A line as shown. */
interface Line {
  number: number;
  text: string;
}

/** Costs of the whole program. */
interface WholeCost {
  now: number;
  then: number;
}

interface CodeProps {
  file: string;
  lines: Line[];
  costs: LineCost[];
  hot: number[];
  line: number | null;
  whole: WholeCost;
  /** The predicted size, in short. */
  target: string;
}

const PER_STRETCH = 100;

export function Code({ file, lines, costs, hot, line, whole, target }: CodeProps) {
  const box = useRef<HTMLDivElement>(null);
  const loops = useMemo(() => loopsOf(page.value.findings, file), [page.value, file]);
  const byLine = useMemo(() => new Map(costs.map((c) => [c.line, c])), [costs]);
  const counted = useMemo(() => costs.map((c) => c.line), [costs]);
  const most = useMemo(() => costs.reduce((max, l) => Math.max(max, l.then), 0), [costs]);
  const own = useMemo(() => ownModels(file, costs), [page.value, file, costs]);
  const columns = useMemo(() => widest(lines.map((l) => l.text)), [lines]);
  const onPaper = useMemo(() => hotFunctions(costs, hot), [costs, hot]);
  const place = useMemo(() => new Map(lines.map((l, i) => [l.number, i])), [lines]);
  const stretches = useMemo(
    () =>
      Array.from({ length: Math.ceil(lines.length / PER_STRETCH) }, (_, i) =>
        lines.slice(i * PER_STRETCH, (i + 1) * PER_STRETCH),
      ),
    [lines],
  );
  const stop = line !== null && place.has(line) ? line : (hot[0] ?? counted[0] ?? lines[0]?.number ?? null);
  const stretchOf = (n: number | null) => (n === null ? -1 : Math.floor((place.get(n) ?? -1) / PER_STRETCH));
  const near = useSignal<ReadonlySet<number>>(new Set([0]));
  const isNear = (i: number) => near.value.has(i) || i === stretchOf(line) || i === stretchOf(stop);
  useLayoutEffect(() => {
    const root = box.current;
    if (!root) return;
    const addNear = (some: Iterable<number>) => (near.value = new Set([...near.peek(), ...some]));
    const end = whenNear(root, root.querySelectorAll('tbody'), (bodies) =>
      addNear(bodies.map((b) => Number((b as HTMLElement).dataset['stretch']))),
    );
    const print = () =>
      addNear(stretches.flatMap((s, i) => (s.some((l) => onPaper.has(l.number)) ? [i] : [])));
    addEventListener('beforeprint', print);
    return () => {
      end();
      removeEventListener('beforeprint', print);
    };
  }, [stretches, onPaper]);
  usePaint(box, file, lines);
  // Scrolls to the chosen line, unless it is already in view.
  useLayoutEffect(() => {
    if (line !== null) show(box.current, place.get(line) ?? 0);
  }, [line, place]);

  const choose = (event: MouseEvent) => {
    const chosen = lineAt(event);
    if (chosen === null || !(getSelection()?.isCollapsed ?? true)) return;
    setParams({ line: chosen === line ? null : chosen }, 'push');
  };
  const key = (event: KeyboardEvent) => {
    const at = lineAt(event);
    const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (at === null || (way === 0 && event.key !== 'Enter')) return;
    event.preventDefault();
    if (way === 0) {
      if (at === line) document.querySelector<HTMLElement>('#app .beside .go')?.click();
      else setParams({ line: at }, 'push');
      return;
    }
    const next = nextLine(counted, at, way);
    if (next === null) return;
    setParams({ line: next });
    // Waits a frame, after which the row exists wherever it was.
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`tr[data-line="${next}"]`)?.focus({ preventScroll: true }),
    );
  };
  const heads: [string, ComponentChildren, string?][] = [
    ['now', 'now', 'executions in the most expensive run'],
    ['part', '%'],
    ['growth', 'growth'],
    [
      'then',
      <>
        ≈ at <bdi>{target}</bdi>
      </>,
      'predicted by scaling with its cluster',
    ],
    ['heat', '%'],
    ['loop', 'loop'],
    ['ln', 'line'],
    ['cd', 'code'],
  ];
  const brackets = Math.min(Math.max(...loops.map((loop) => loop.depth), 0), MOST_BRACKETS);
  return (
    <div
      class={`code ${loops.length > 0 ? '' : 'no-loops'} ${target === '' ? 'no-target' : ''}`}
      ref={box}
      role="region"
      aria-label={`code of ${visible(file).slice(0, 200)}`}
      tabIndex={0}
      onClick={choose}
      onKeyDown={key}
    >
      <table
        role="grid"
        aria-rowcount={lines.length + 1}
        aria-label={`${shorten(file, 60)} by line`}
        style={{ '--columns': columns, '--brackets': brackets }}
      >
        <thead>
          <tr>
            {heads.map(([key, text, title]) => (
              <th key={key} scope="col" class={key} title={title}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        {stretches.map((stretch, i) => (
          <Stretch
            key={i}
            index={i}
            lines={stretch}
            near={isNear(i)}
            chosen={stretchOf(line) === i ? line : null}
            stop={stretchOf(stop) === i ? stop : null}
            {...{ byLine, own, loops, most, whole, onPaper }}
          />
        ))}
      </table>
    </div>
  );
}

/** Returns the line of the row that an event happened in. */
function lineAt({ target }: Event): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-line]') : null;
  return row && Number(row.dataset['line']);
}

interface StretchProps {
  index: number;
  lines: Line[];
  near: boolean;
  chosen: number | null;
  /** The line that Tab goes to. */
  stop: number | null;
  byLine: ReadonlyMap<number, LineCost>;
  own: OwnModels;
  loops: LoopRow[];
  most: number;
  whole: WholeCost;
  onPaper: ReadonlySet<number>;
}

function Stretch(props: StretchProps) {
  const { index, lines, near, chosen, stop, byLine, own, loops, most, whole, onPaper } = props;
  // Reuses the nodes while nothing in them changes: choosing a line touches two stretches of a hundred.
  return useMemo(() => {
    if (!near) {
      return (
        <tbody data-stretch={index} class="far" style={{ '--lines': lines.length }}>
          <tr>
            <td colSpan={8}>
              <pre>{lines.map((l) => l.text).join('\n')}</pre>
            </td>
          </tr>
        </tbody>
      );
    }
    return (
      <tbody data-stretch={index}>
        {lines.map((one) => {
          const found = byLine.get(one.number);
          return (
            <tr
              key={one.number}
              data-line={one.number}
              tabIndex={one.number === stop ? 0 : -1}
              aria-selected={one.number === chosen}
              class={`${found?.cost === 0 ? 'never' : ''} ${onPaper.has(one.number) ? 'paper' : ''}`}
            >
              <Costs found={found} own={own.get(one.number)} most={most} whole={whole} />
              <td class="loop">
                <Brackets loops={loops} line={one.number} />
              </td>
              <td class="ln">{one.number}</td>
              <td class="cd">
                <code translate={false}>{one.text}</code>
              </td>
            </tr>
          );
        })}
      </tbody>
    );
  }, [lines, near, chosen, stop, byLine, loops, most, whole.now, whole.then, onPaper, feature.value]);
}

const COLUMNS = ['now', 'part', 'growth', 'then', 'heat'];

/** Minimum share for a badge. A page full of badges says nothing. */
const BADGE_SHARE = 0.005;
const STRONG_SHARE = 0.05;

/** Models by line, for lines that have a model of their own besides the cluster's. */
type OwnModels = ReadonlyMap<number, Model>;

function ownModels(file: string, costs: LineCost[]): OwnModels {
  const { lines, blocks } = page.value.findings;
  const isOf = (row: { file?: string | null }) => row.file === file;
  const findings = { ...page.value.findings, lines: lines?.filter(isOf), blocks: blocks?.filter(isOf) };
  const models = costs.flatMap((found): [number, Model][] => {
    const own = ownRow(findings, file, found);
    const model = own && shownWith(own)?.model;
    return model ? [[found.line, model]] : [];
  });
  return new Map(models);
}

interface CostsProps {
  found: LineCost | undefined;
  own: Model | undefined;
  most: number;
  whole: WholeCost;
}

function Costs({ found, own, most, whole }: CostsProps) {
  if (!found) return <>{COLUMNS.map((column) => <td key={column} class={column} />)}</>; // prettier-ignore
  const [first] = found.clusters;
  const model = own ?? shownModel(page.value, first, feature.value);
  const growth = shorten(shortGrowth(model), 24);
  const [now, then] = [Math.min(found.cost / whole.now, 1), Math.min(found.then / whole.then, 1)];
  const warmth = page.value.findings.clusters[first ?? -1]?.warmth;
  const hasBadge = then > BADGE_SHARE && model;
  const strong = then >= STRONG_SHARE ? 'strong' : '';
  const counted = (text: string) => (found.cost === 0 ? '–' : text);
  return (
    <>
      <td class="now">{cost(found.cost)}</td>
      <td class="part">{counted(percent(now))}</td>
      <td class="growth">
        {hasBadge ? (
          <Badge text={growth} warmth={warmth} open={isDoubt(model)} />
        ) : (
          <ClassText text={growth} />
        )}
      </td>
      <td class={`then ${strong}`}>{counted(cost(found.then, 2))}</td>
      <td class={`heat ${strong}`} style={{ '--share': most > 0 ? found.then / most : 0 }}>
        {counted(percent(then))}
        {found.cost === 0 && <span class="hidden">never executed</span>}
      </td>
    </>
  );
}

/** Formats `12` or `<1`, without a percent sign: the table head has it. */
export function percent(part: number): string {
  return part > 0 && part < 0.01 ? '<1' : String(Math.round(100 * part));
}

function Brackets({ loops, line }: { loops: LoopRow[]; line: number }) {
  const marks = marksOf(loops, line);
  const text = marks.filter((m) => m.begins).map((m) => briefTripsText(m.loop));
  return (
    <>
      {marks.map(({ begins, ends, place }, i) =>
        place === null ? null : (
          <i key={i} class={`${begins ? 'begins' : ''} ${ends ? 'ends' : ''}`} style={{ '--place': place }} />
        ),
      )}
      {text.length > 0 && (
        <b title={marks.map(({ loop }) => `${placeText(loop)}: ${tripsSentence(loop)}`).join('; ')}>
          {text.join(' · ')}
        </b>
      )}
    </>
  );
}

/** Returns the lines of the functions that contain hot lines. These lines are printed. */
function hotFunctions(costs: LineCost[], hot: number[]): Set<number> {
  const names = new Set(costs.filter((c) => hot.includes(c.line)).flatMap((c) => c.functions));
  const found = new Set(hot);
  for (const name of names) {
    const lines = costs.filter((c) => c.functions.includes(name)).map((c) => c.line);
    for (let n = Math.min(...lines); n <= Math.max(...lines); n++) found.add(n);
  }
  return found;
}

/** Scrolls a row into view. All rows have the same height. */
function show(box: HTMLElement | null, row: number): void {
  const [head, body] = [box?.querySelector('thead'), box?.querySelector<HTMLElement>('tr[data-line]')];
  if (!box || !head || !body) return;
  const [height, above] = [body.offsetHeight, head.offsetHeight];
  const top = row * height;
  const seen = top >= box.scrollTop + height && top + 2 * height + above <= box.scrollTop + box.clientHeight;
  if (!seen) box.scrollTop = top - box.clientHeight / 3;
}

/** Colours the code of the rows that exist. */
function usePaint(box: { current: HTMLDivElement | null }, file: string, lines: Line[]): void {
  const painted = useRef(new WeakSet<Element>());
  const coloured = useMemo(() => {
    const texts = lines.map((l) => l.text);
    const found = tokensByLine(texts, tokens(file, texts.join('\n')));
    return new Map(lines.map((l, i) => [l.number, found[i] ?? []]));
  }, [file, lines]);
  useLayoutEffect(() => {
    unpaint();
    painted.current = new WeakSet();
    return unpaint;
  }, [coloured]);
  useEffect(() => {
    for (const row of box.current?.querySelectorAll<HTMLElement>('tr[data-line]:not(.never)') ?? []) {
      if (painted.current.has(row)) continue;
      painted.current.add(row);
      const node = row.lastElementChild?.firstElementChild?.firstChild;
      if (node instanceof Text) paint(node, coloured.get(Number(row.dataset['line'])) ?? []);
    }
  });
}
