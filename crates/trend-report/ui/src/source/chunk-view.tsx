/** A stretch of lines: gutter, line numbers, code; each a column of its own, aligned by the height of a line. */

import { useMemo } from 'preact/hooks';

import { cost } from '../format/number';
import { feature, page } from '../state/store';
import { ClassText } from '../view/parts';
import type { Chunk } from './chunks';
import type { LoopRow } from '../data/types';
import type { LineCost } from './costs';
import { gutter, type GutterLine } from './gutter';
import { marksOf, MOST_BRACKETS, statusText, tripsText, type LoopMark } from './loops';

interface ChunkProps {
  chunk: Chunk;
  index: number;
  /** The counted lines of this chunk. */
  costs: LineCost[];
  /** The cost of the costliest line of the file. */
  most: number;
  /** Whether it has come near what is seen: before, its gutter is not drawn. */
  near: boolean;
  /** The chosen line, where it is in this chunk. */
  chosen: number | null;
  /** The line whose mark Tab goes to, where it is in this chunk. */
  stop: number | null;
  /** The loops of the file. */
  loops: LoopRow[];
}

export function ChunkView({ chunk, index, costs, most, near, chosen, stop, loops }: ChunkProps) {
  const marks = useMemo(
    () => (near ? gutter(page.value, costs, feature.value, most) : []),
    [page.value, costs, feature.value, most, near],
  );
  // The same node again while nothing of it changes: choosing a line touches two chunks of a hundred.
  return useMemo(() => {
    const numbers = Array.from({ length: chunk.lines }, (_, i) => chunk.first + i).join('\n');
    return (
      <div class="chunk" data-chunk={index} style={{ '--lines': chunk.lines }}>
        {chosen !== null && <div class="chosen" style={{ '--row': chosen - chunk.first }} />}
        <div class="gutter">
          {marks.map((mark) => (
            <Mark
              key={mark.line}
              mark={mark}
              row={mark.line - chunk.first}
              chosen={mark.line === chosen}
              stop={mark.line === stop}
            />
          ))}
        </div>
        <pre class="numbers" aria-hidden="true">
          {numbers}
        </pre>
        {loops.length > 0 && (
          <div class="loops">
            {marksOf(loops, chunk.first, chunk.lines).map((mark) => (
              <LoopBracket key={`${mark.loop.line}:${mark.loop.depth}`} mark={mark} />
            ))}
          </div>
        )}
        <pre class="text">
          <code translate={false}>{chunk.text}</code>
        </pre>
      </div>
    );
  }, [chunk, index, marks, chosen, stop, loops]);
}

function LoopBracket({ mark }: { mark: LoopMark }) {
  const { loop, from, to, begins, ends, place, text } = mark;
  return (
    <div
      class={`loop ${begins ? 'begins' : ''} ${ends ? 'ends' : ''}`}
      style={{ '--row': from, '--rows': to - from + 1, '--place': place ?? MOST_BRACKETS }}
      title={`${tripsText(loop)} trips of the loop at line ${loop.line}: ${statusText(loop)}`}
    >
      {place !== null && <i />}
      {text !== '' && <b>{text}</b>}
    </div>
  );
}

interface MarkProps {
  mark: GutterLine;
  row: number;
  chosen: boolean;
  stop: boolean;
}

function Mark({ mark, row, chosen, stop }: MarkProps) {
  return (
    <button
      type="button"
      class={`mark ${mark.kind}`}
      data-line={mark.line}
      style={{ '--row': row, '--share': mark.share }}
      tabIndex={stop ? 0 : -1}
      aria-pressed={chosen}
      title={mark.label}
    >
      <span class="hidden">line {mark.line}, </span>
      <span class="cost">{cost(mark.cost)}</span>
      <span class={mark.decided ? 'class' : 'class open'}>
        <ClassText text={mark.growth} />
      </span>
      <span class="chip">{mark.chip}</span>
      {mark.kind === 'never' && <span class="hidden">, never executed</span>}
    </button>
  );
}
