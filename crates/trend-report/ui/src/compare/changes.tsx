/** What changed at the target: one row per function, and the whole. */

import type { Compare, Compared, ComparedTarget } from '../data/types';
import { grouped, plural, size } from '../format/number';
import { shorten } from '../format/text';
import { href } from '../state/route';
import { Badge, Name } from '../view/parts';
import { isSamePlace, linkOf, sizeOf } from './state';

type Words = ComparedTarget['total'];

const HEADS: [text: string, kind?: string][] = [
  ['function'],
  ['what changed', 'what'],
  ['growth'],
  ['before', 'number'],
  ['after', 'number'],
  ['change', 'number'],
  ['interval of the change', 'interval'],
];

export function Changes({ data, shown }: { data: Compare; shown: ComparedTarget }) {
  const { comparison, changes, total, more, unchanged } = shown;
  const changed = comparison.changes.length + more;
  const rows = comparison.changes.flatMap((change, i) => {
    const words = changes[i];
    return words ? [{ change, words }] : [];
  });
  // Where nothing can be told, nothing is called unchanged either: only what is new or gone is known.
  const isKnown = comparison.outcome !== 'cannot_tell';
  if (!isKnown && rows.length === 0) return null;
  const whole = isKnown ? [{ change: comparison.total, words: total }] : [];
  const scale = scaleOf([...rows, ...whole].map(({ words }) => words));
  const row = (one: { change: Compared; words: Words }) => (
    <Row key={one.words.name} {...one} sides={sidesOf(data, one.change)} scale={scale} />
  );
  return (
    <section class="top changes">
      <div class="head wrap">
        <h2>
          What changed at <bdi>{size(sizeOf(shown))}</bdi>
        </h2>
        <span class="soft" hidden={!isKnown}>
          {grouped(changed)} of {plural(changed + comparison.unchanged, 'function')}
        </span>
      </div>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              {HEADS.map(([text, kind]) => (
                <th key={text} scope="col" class={kind}>
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row)}
            {whole.map(row)}
          </tbody>
        </table>
      )}
      {more > 0 && (
        <p class="note">
          {plural(more, 'change')} more; <code>trend-prof diff --top {changed}</code> shows all.
        </p>
      )}
      {isKnown && unchanged !== '' && (
        <p class="rest">
          <a href={href('functions')}>{unchanged}</a>
        </p>
      )}
    </section>
  );
}

const sidesOf = (data: Compare, { place }: Compared) =>
  data.rows.find((row) => isSamePlace(row.place, place))?.sides ?? [null, null];

interface RowProps {
  change: Compared;
  words: Words;
  sides: Compare['rows'][number]['sides'];
  scale: (by: number) => number;
}

function Row({ change, words, sides, scale }: RowProps) {
  const isWhole = !change.place;
  const link = linkOf(change.place);
  const name = <Name text={words.name} columns={34} />;
  const [before = '', after = ''] = words.costs;
  return (
    <tr class={`${change.change.direction} ${isWhole ? 'sum whole' : ''}`}>
      <th scope="row">
        {isWhole ? (
          'whole program'
        ) : (
          <span class="who">
            <span>
              {link === null ? <b>{name}</b> : <a href={link}>{name}</a>}
              <span class="place">{shorten(words.place, 48)}</span>
            </span>
          </span>
        )}
      </th>
      <td class="what">{words.what}</td>
      <td class="growth-cell">
        <Growth change={change} sides={sides} />
      </td>
      <td class="number now" data-then={after}>
        {before}
      </td>
      <td class="number then">{after}</td>
      <td class="number share">{words.change}</td>
      <td class="interval">
        <Bar words={words} scale={scale} />
      </td>
    </tr>
  );
}

/** `n → n^2`; once where it is the same. */
function Growth({ change: { before, after }, sides }: Pick<RowProps, 'change' | 'sides'>) {
  const badge = (text: string, side: RowProps['sides'][number]) =>
    text !== '' && <Badge text={text} warmth={side?.warmth} open={side?.law?.decided === false} />;
  if (before.growth === after.growth) return badge(after.growth, sides[1]) || null;
  const none = <span class="soft">–</span>;
  return (
    <span class="both">
      {badge(before.growth, sides[0]) || none}
      <span class="soft">→</span>
      {badge(after.growth, sides[1]) || none}
    </span>
  );
}

const BAR = 150;

/** Where a difference is on the bars of all rows, which have one 0. */
function scaleOf(rows: readonly Words[]): (by: number) => number {
  const ends = rows.flatMap(({ by, by_ci }) => [by, ...(by_ci ?? [])]);
  const [lo, hi] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  return (by) => 3 + ((BAR - 6) * (by - lo)) / Math.max(hi - lo, Number.MIN_VALUE);
}

/** The difference with its interval, to the left of 0 or to the right. */
function Bar({ words: { by, by_ci }, scale }: { words: Words; scale: (by: number) => number }) {
  const [lo, hi] = (by_ci ?? [by, by]).map(scale);
  return (
    <svg class="change-bar" viewBox={`0 0 ${BAR} 16`} aria-hidden="true">
      <path class="zero" d={`M${scale(0)} 0v16`} />
      <rect class="between" x={lo} y={4} width={Math.max(2, (hi ?? 0) - (lo ?? 0))} height={8} />
      <path class="predicted" d={`M${scale(by)} 2v12`} />
    </svg>
  );
}
