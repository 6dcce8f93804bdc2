/** The text of a file with its gutter, in a box of its own that scrolls both ways. */

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { setParams } from '../state/route';
import { page } from '../state/store';
import { visible } from '../format/text';
import { LINES_PER_CHUNK, stretch, tokensByChunk, type SourceText } from './chunks';
import { ChunkView } from './chunk-view';
import type { LineCost } from './costs';
import { linesByChunk } from './gutter';
import { Painter, whenNear, type Paint } from './highlight';
import { nextLine } from './hot';
import { loopsOf } from './loops';
import { widest } from './text';
import { tokens } from './tokens';

interface CodeProps {
  file: string;
  source: SourceText;
  costs: LineCost[];
  hot: number[];
  line: number | null;
}

export function Code({ file, source, costs, hot, line }: CodeProps) {
  const box = useRef<HTMLDivElement>(null);
  const byChunk = useMemo(() => linesByChunk(costs, source.chunks.length), [costs, source]);
  const most = useMemo(() => costs.reduce((max, l) => Math.max(max, l.cost), 0), [costs]);
  const columns = useMemo(() => widest(source.lines), [source]);
  const loops = useMemo(() => loopsOf(page.value.findings, file), [page.value, file]);
  const counted = useMemo(() => costs.map((c) => c.line), [costs]);
  const stop = line !== null && counted.includes(line) ? line : (hot[0] ?? counted[0] ?? null);

  // The stretches whose gutter is drawn: what is near, what is asked for, and where Tab goes.
  const near = useSignal<ReadonlySet<number>>(new Set([0]));
  const come = (chunks: Iterable<number>) => (near.value = new Set([...near.value, ...chunks]));
  const isNear = (i: number) => near.value.has(i) || i === chunkOf(line) || i === chunkOf(stop);
  usePaint(box, file, source, costs, come);

  // A line that is asked for is brought into sight, unless it is there already.
  useLayoutEffect(() => {
    if (line !== null) show(box.current, line);
  }, [line, source]);
  const within = (n: number | null, first: number) =>
    n !== null && n >= first && n < first + LINES_PER_CHUNK ? n : null;

  const choose = (event: MouseEvent) => {
    const at = event.target instanceof Element ? event.target : null;
    const mark = at?.closest<HTMLElement>('.mark')?.dataset['line'];
    const chosen = mark !== undefined ? Number(mark) : lineAt(at?.closest('.numbers') ?? null, event, source);
    if (chosen !== null) setParams({ line: chosen === line ? null : chosen }, 'push');
  };
  const step = (event: KeyboardEvent) => {
    const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('.mark') : null;
    const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!mark || way === 0) return;
    event.preventDefault();
    const next = nextLine(counted, Number(mark.dataset['line']), way);
    if (next === null) return;
    come([chunkOf(next)]);
    show(box.current, next);
    // A frame on its mark is there, wherever it was.
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`.mark[data-line="${next}"]`)?.focus({ preventScroll: true }),
    );
  };

  return (
    <div
      class="code"
      ref={box}
      role="region"
      aria-label={`code of ${visible(file).slice(0, 200)}`}
      tabIndex={0}
      style={{
        '--columns': columns,
        '--digits': String(source.lines.length).length,
        '--loops': loops.length > 0 ? '9rem' : '0rem',
      }}
      onClick={choose}
      onKeyDown={step}
    >
      {source.chunks.map((chunk, i) => (
        <ChunkView
          key={chunk.first}
          chunk={chunk}
          index={i}
          costs={byChunk[i] ?? NONE}
          most={most}
          near={isNear(i)}
          chosen={within(line, chunk.first)}
          stop={within(stop, chunk.first)}
          loops={loops}
        />
      ))}
    </div>
  );
}

const NONE: LineCost[] = [];

function chunkOf(line: number | null): number {
  return line === null ? -1 : Math.floor((line - 1) / LINES_PER_CHUNK);
}

/** The height of a line in pixels. */
function lineHeight(box: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(box).lineHeight) || 20;
}

function show(box: HTMLElement | null, line: number): void {
  if (!box) return;
  const height = lineHeight(box);
  const top = (line - 1) * height;
  const seen = top >= box.scrollTop + height && top + 2 * height <= box.scrollTop + box.clientHeight;
  if (!seen) box.scrollTop = top - box.clientHeight / 3;
  // Where the panel covers the lower part of the screen the code goes to the upper one.
  if (matchMedia('(max-width: 63.99rem)').matches) box.scrollIntoView({ block: 'start' });
}

/** Which line number was clicked: they are one text, so it is where, not what. */
function lineAt(numbers: Element | null, event: MouseEvent, source: SourceText): number | null {
  const chunk = numbers?.closest<HTMLElement>('.chunk');
  if (!numbers || !chunk) return null;
  const { top, height } = numbers.getBoundingClientRect();
  const part = source.chunks[Number(chunk.dataset['chunk'])];
  if (!part || height === 0) return null;
  const row = Math.floor(((event.clientY - top) / height) * part.lines);
  return part.first + Math.min(Math.max(row, 0), part.lines - 1);
}

/** Colours what is near. */
function usePaint(
  box: { current: HTMLDivElement | null },
  file: string,
  source: SourceText,
  costs: LineCost[],
  come: (chunks: Iterable<number>) => void,
): void {
  useEffect(() => {
    const paint = new Painter();
    const coloured = tokensByChunk(source, tokens(file, source.text));
    const texts = Array.from(box.current?.querySelectorAll('.text > code') ?? [], (code) => code.firstChild);
    const never: [number, number, Paint][][] = source.chunks.map(() => []);
    for (const { line, cost } of costs) {
      const text = source.lines[line - 1];
      if (cost > 0 || text === undefined) continue;
      const at = stretch(source, line, 0, text.length);
      never[at.chunk]?.push([at.from, at.to, 'never']);
    }
    const root = box.current;
    if (!root) return;
    const stop = whenNear(root, root.querySelectorAll('.chunk'), (chunks) => {
      const indexes = chunks.map((chunk) => Number(chunk.dataset['chunk']));
      come(indexes);
      for (const i of indexes) {
        const node = texts[i];
        if (!(node instanceof Text)) continue;
        paint.paint(node, coloured[i] ?? []);
        paint.paint(node, never[i] ?? []);
      }
    });
    return () => {
      stop();
      paint.end();
    };
  }, [file, source, costs]);
}
