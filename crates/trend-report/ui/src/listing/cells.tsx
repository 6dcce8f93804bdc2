/** Cells that the overview and the lists share: a function with its place and code, and its share now and then. */

import type { VNode } from 'preact';

import { CellCode } from './cell-code';
import type { Subject } from '../data/page';
import { groundOf } from '../data/predict';
import { share } from '../format/number';
import { shorten, visible } from '../format/text';
import { wholeThen } from '../overview/answer';
import type { Numbers } from '../overview/views';
import { colourOf, Mark, MiniPlot } from '../plot/series';
import { shown } from '../table/column';
import { Linked } from '../view/parts';

type WhoProps = Pick<Subject, 'file' | 'line'> & {
  mark: number;
  to: string;
  name: string;
  note: string | undefined;
  stop?: boolean;
};

/**
 * Shows a name over its place and its code. A sign marks rows with a note, and the most expensive functions have a
 * mark. `stop` is false in a grid, where arrow keys and Enter reach the link.
 */
export function Who({ mark, to, name, note, file, line, stop = true }: WhoProps) {
  const base = file.split('/').at(-1) ?? '';
  return (
    <span class="who">
      {mark > 0 ? <Mark mark={mark} /> : <i />}
      <span>
        <Linked to={to} text={name} columns={stop ? 34 : 30} stop={stop} />
        {note !== undefined && <NoteSign note={visible(note)} />}
        <span class="place" title={visible(file)}>
          {file !== '' && `${shorten(line > 0 ? `${base}:${line}` : base, 28)} `}
          <CellCode file={file} line={line} />
        </span>
      </span>
    </span>
  );
}

function NoteSign({ note }: { note: string }) {
  return (
    <svg class="note-sign" viewBox="0 0 12 12" role="img">
      <title>{`Note: ${note}`}</title>
      <path d="M2 1h5l3 3v7H2zM4 6.5h4M4 8.5h4" />
    </svg>
  );
}

/** Shows the share now and at the target; `drawn`: with a bar. */
export function Share({ row, drawn }: { row: Numbers; drawn: boolean }) {
  return (
    <>
      {drawn && <ShareBar row={row} />}
      <span class="nowrap">
        {share(row.shareNow)} → <b>{shown(row.shareThen, share)}</b>
      </span>
    </>
  );
}

/** The largest share that a bar can show. */
const MOST_SHARE = 0.6;

/** Draws ○ now and ● then on a scale to 60 %. For undecided growth, a pale bar behind them shows the interval. */
function ShareBar({ row }: { row: Numbers }) {
  const at = (part: number) => 4 + (142 * Math.min(part, MOST_SHARE)) / MOST_SHARE;
  const [now, then] = [at(row.shareNow), at(row.shareThen ?? row.shareNow)];
  const rest = Math.max((wholeThen.value?.cost ?? NaN) - (row.then?.cost ?? 0), 0);
  const [lo, hi] = (row.then?.ci ?? [0, 0]).map((cost) => at(cost / (cost + rest)));
  return (
    <svg class="share-bar" style={colourOf(row.mark)} viewBox="0 0 150 22" aria-hidden="true">
      <path class="rule" d="M4 11H146" />
      {!row.decided && row.then?.ci && (
        <rect class="between" x={lo} y={7} width={(hi ?? 0) - (lo ?? 0)} height={8} />
      )}
      <path class="line own" d={`M${now} 11H${then}`} />
      <circle class="hollow" cx={now} cy={11} r={3.5} />
      <circle class="filled" cx={then} cy={11} r={4.2} />
    </svg>
  );
}

type RowPlotProps = Pick<Numbers, 'outlook' | 'mark'> & { row: Subject['row'] | undefined; none?: VNode };

/** Draws the measured costs and the law of a row; shows `none` if the page does not carry the costs. */
export function RowPlot({ row, outlook, mark, none }: RowPlotProps) {
  if (!row?.costs || !outlook) return none ?? null;
  const { x, law } = groundOf(row, outlook);
  return (
    <span style={colourOf(mark)}>
      <MiniPlot x={x} y={row.costs} law={law} />
    </span>
  );
}
