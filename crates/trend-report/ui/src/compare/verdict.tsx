/** The outcome in one word, what it means, the target, and what the whole costs before and after on one scale. */

import type { Compare, ComparedTarget, Interval } from '../data/types';
import { costInterval, grouped, plural, size } from '../format/number';
import { shorten, visible } from '../format/text';
import { Spoken } from '../overview/band';
import { GaugeBar } from '../overview/gauge';
import { sameSize } from '../data/models';
import { ClassText } from '../view/parts';
import { CopyButton } from '../view/copy';
import { linkOf, sizeOf, wanted } from './state';

type Piece = ComparedTarget['headline'][number];

export const textOf = (pieces: readonly Piece[]) => pieces.map((piece) => piece.text).join('');

/** Which studies were compared, of how many runs. */
export function Studies({ data, shown }: { data: Compare; shown: ComparedTarget }) {
  const { before, after, shared } = shown.comparison.workloads;
  const same =
    before === after && shared === before ? 'the same inputs' : `${grouped(shared)} of the same inputs`;
  return (
    <div class="studies wrap">
      <span>
        before <code>{shorten(data.names[0], 40)}</code> {plural(before, 'run')}
      </span>
      <span class="arrow" aria-hidden="true">
        →
      </span>
      <span>
        after <code>{shorten(data.names[1], 40)}</code> {plural(after, 'run')}, {same}
      </span>
      <CopyButton label="Copy as Markdown" text={() => shown.markdown} />
    </div>
  );
}

export function Verdict({ shown }: { shown: ComparedTarget }) {
  const told = [shown.headline, shown.meaning].filter((pieces) => pieces.length > 0);
  return (
    <section class="answer">
      <div>
        {told.map((pieces, i) => (
          <p key={i} class="say">
            <Sentence of={pieces} />
          </p>
        ))}
        <Spoken text={told.map(textOf).join(' ')} />
      </div>
      <div>
        <Nearest shown={shown} />
        <Gauges shown={shown} />
      </div>
    </section>
  );
}

function Sentence({ of }: { of: readonly Piece[] }) {
  return (
    <bdi>
      {of.map((piece, i) => {
        const text = <ClassText text={visible(piece.text)} />;
        const link = piece.as === 'function' ? linkOf(piece.place) : null;
        if (link !== null) return <a key={i} href={link}>{text}</a>; // prettier-ignore
        if (piece.as === 'outcome') return <b key={i} class="outcome">{text}</b>; // prettier-ignore
        if (piece.as === 'strong') return <b key={i}>{text}</b>;
        return piece.as === 'soft' ? <span key={i} class="soft">{text}</span> : text; // prettier-ignore
      })}
    </bdi>
  );
}

/** That the versions are compared elsewhere than at the target, where that is so. */
function Nearest({ shown }: { shown: ComparedTarget }) {
  const here = sizeOf(shown);
  if (sameSize(here, wanted.value)) return null;
  return (
    <p class="note">
      The versions are compared at the usual multiples; {size(here)} is the nearest to {size(wanted.value)}.
    </p>
  );
}

/** Both costs on one scale from 0; hidden where the two cannot be compared. */
function Gauges({ shown: { comparison, total } }: { shown: ComparedTarget }) {
  const { before, after } = comparison.total;
  if (comparison.outcome === 'cannot_tell' || !(before.cost > 0)) return null;
  const intervals = [before, after].map(({ cost, ci }): Interval => ci ?? [cost, cost]);
  const most = Math.max(before.cost, after.cost, ...intervals.map(([, hi]) => hi)) * 1.05;
  return (
    <>
      {[before, after].map(({ cost, ci }, i) => {
        const [name, text] = [i === 0 ? 'before' : 'after', total.costs[i] ?? ''];
        const interval = ci ? costInterval(ci) : '';
        return (
          <GaugeBar
            key={name}
            name={name}
            label={`${name}: ${text} ${interval}`}
            at={(value) => value / most}
            value={cost}
            ci={intervals[i] ?? [cost, cost]}
          >
            <span />
            <span>
              <b>{text}</b> {interval !== '' && interval !== text && `(${interval})`}
            </span>
          </GaugeBar>
        );
      })}
    </>
  );
}
