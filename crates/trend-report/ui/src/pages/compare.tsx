/** Shows the growth that changed since the earlier version. */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import {
  charted,
  chosen,
  compare,
  curvesOf,
  featureOf,
  isCompared,
  isSamePlace,
  sizeOf,
  wanted,
} from '../compare/state';
import { sameSize, span } from '../data/models';
import { functionId } from '../data/page';
import type { Compare, Compared, ComparedTarget, Interval } from '../data/types';
import { costEnds, featureSize, grouped, plural } from '../format/number';
import { shorten } from '../format/text';
import { GaugeBar, Spoken } from '../overview/band';
import { LawsFigure } from '../overview/drawing';
import { type Extent, extentOf, zoomed } from '../overview/views';
import { useParam } from '../plot/state';
import { functionLink, href, page, setParams } from '../state/state';
import { Choice, Select } from '../view/choice';
import { CopyButton, Foot, shellQuote } from '../view/copy';
import { Badge, Linked, Pieces, textOf } from '../view/parts';
import { Table } from '../view/table';

export function Compare() {
  const [data, shown] = [compare.value, chosen.value];
  if (!data || !shown) return <NotCompared />;
  const { outcome } = shown.comparison;
  return (
    <div class={`overview compare ${outcome}`}>
      <h1 class="hidden">Differences in growth</h1>
      <Studies data={data} shown={shown} />
      <Verdict shown={shown} />
      <Overlay data={data} shown={shown} />
      <Changes data={data} shown={shown} />
      <Foot words={() => ['diff', ...data.names, '--at', `${featureOf(data)}=${sizeOf(shown)}`]}>
        each version is predicted with its own law · {shown.comparison.level * 100} % intervals · undecided
        differences are left out
      </Foot>
    </div>
  );
}

function NotCompared() {
  return (
    <>
      <h1>Nothing to compare with</h1>
      <p>This page shows only one study. Add the earlier one:</p>
      <p>
        <code>{`trend-prof report ${shellQuote(page.value.data.study)} --before BEFORE.trend`}</code>
      </p>
    </>
  );
}

/** Maximum number of rows offered as buttons; more are offered as a list. */
const MOST_BUTTONS = 4;

function Overlay(props: { data: Compare; shown: ComparedTarget }) {
  const { data, shown } = props;
  const extent = extentOf(featureOf(data), sizeOf(shown), span(data.sizes.flat()));
  return extent && <Figure {...props} extent={extent} />;
}

interface FigureProps {
  data: Compare;
  shown: ComparedTarget;
  extent: Extent;
}

function Figure({ data, shown, extent: whole }: FigureProps) {
  const extent = zoomed(whole, useParam('versions.zoom'));
  const { at, from, largest, to } = extent;
  const row = charted.value;
  const curves = useMemo(() => (row ? curvesOf(data, row, extent) : []), [data, row, from, largest, at, to]);
  const name = row?.place ? shorten(page.value.shortName(row.place.name), 40) : 'whole program';
  return (
    <LawsFigure
      id="versions"
      heading="Before and after"
      title={`Before and after: ${name}`}
      summary={`${row?.place ? `${name}. ` : ''}Hollow and dashed: before. Filled: after. Beyond the largest run, both are predicted.`}
      yLabel={`cost in ${page.value.findings.unit}`}
      view="total"
      extent={extent}
      curves={curves}
      controls={<Rows data={data} shown={shown} />}
    />
  );
}

/** Lets the reader choose the chart's row among those that changed at this target. */
function Rows({ data, shown }: { data: Compare; shown: ComparedTarget }) {
  const places = shown.comparison.changes.flatMap(({ place }) => (place ? [place] : []));
  const known = places.filter((place) => data.rows.some((row) => isSamePlace(row.place, place)));
  const now = charted.value?.place;
  const choices = [null, ...known].map((place) => ({
    key: place ? functionId(place) : '',
    text: place ? shorten(page.value.shortName(place.name), 32) : 'Whole program',
  }));
  if (known.length === 0) return null;
  const chosen = now ? functionId(now) : '';
  const Chosen = known.length <= MOST_BUTTONS ? Choice : Select;
  return (
    <Chosen label="Curves in the chart" of={choices} chosen={chosen} choose={(row) => setParams({ row })} />
  );
}

/** Shows the two studies and their numbers of runs. */
function Studies({ data, shown }: { data: Compare; shown: ComparedTarget }) {
  const { before, after, shared } = shown.comparison.workloads;
  const same =
    before === after && shared === before ? 'the same inputs' : `${grouped(shared)} inputs in common`;
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

function Verdict({ shown }: { shown: ComparedTarget }) {
  const linked = (pieces: ComparedTarget['headline']) =>
    pieces.map((piece) => ({ ...piece, href: piece.as === 'function' ? functionLink(piece.place) : null }));
  const told = [shown.headline, shown.meaning].filter((pieces) => pieces.length > 0).map(linked);
  return (
    <section class="answer">
      <div>
        {told.map((pieces, i) => (
          <p key={i} class="say">
            <Pieces of={pieces} />
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

/** Notes that the versions are compared at another size than the target, if so. */
function Nearest({ shown }: { shown: ComparedTarget }) {
  const here = sizeOf(shown);
  const written = (at: number) => featureSize(shown.comparison.feature, at);
  if (sameSize(here, wanted.value)) return null;
  return (
    <p class="note">
      The versions are compared at fixed multiples; {written(here)} is the nearest to {written(wanted.value)}.
    </p>
  );
}

/** Shows both costs on one scale from 0; hidden if the two cannot be compared. */
function Gauges({ shown: { comparison, total } }: { shown: ComparedTarget }) {
  const { before, after } = comparison.total;
  if (!isCompared(comparison) || !(before.cost > 0)) return null;
  const intervals = [before, after].map(({ cost, ci }): Interval => ci ?? [cost, cost]);
  const most = Math.max(before.cost, after.cost, ...intervals.map(([, hi]) => hi)) * 1.05;
  return (
    <>
      {[before, after].map(({ cost, ci }, i) => {
        const [name, text] = [i === 0 ? 'before' : 'after', total.costs[i] ?? ''];
        const interval = costEnds(ci);
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
              <b>{text}</b> {interval}
            </span>
          </GaugeBar>
        );
      })}
    </>
  );
}

type Words = ComparedTarget['total'];

interface ChangeRow {
  change: Compared;
  words: Words;
}

function Changes({ data, shown }: { data: Compare; shown: ComparedTarget }) {
  const { comparison, changes, total, more, unchanged } = shown;
  const changed = comparison.changes.length + more;
  const rows = comparison.changes.flatMap((change, i): ChangeRow[] => {
    const words = changes[i];
    return words ? [{ change, words }] : [];
  });
  // If the costs cannot be compared, only new and removed functions are listed, and none is called unchanged.
  const isKnown = isCompared(comparison);
  if (!isKnown && rows.length === 0) return null;
  const whole = isKnown ? [{ change: comparison.total, words: total }] : [];
  const scale = scaleOf([...rows, ...whole].map(({ words }) => words));
  const linked = ({ change, words }: ChangeRow) => {
    const link = functionLink(change.place);
    const name = <Linked to={link} text={words.name} columns={34} />;
    return link === null ? <b>{name}</b> : name;
  };
  return (
    <section class="top changes">
      <div class="head wrap">
        <h2>
          Changes
          {comparison.basis.kind === 'predicted' && (
            <>
              {' '}
              at <bdi>{featureSize(comparison.feature, sizeOf(shown))}</bdi>
            </>
          )}
        </h2>
        <span class="soft" hidden={!isKnown}>
          {grouped(changed)} of {plural(changed + comparison.unchanged + comparison.undecided, 'function')}
        </span>
      </div>
      {rows.length > 0 && (
        <Table
          rows={[...rows, ...whole]}
          row={({ change }) => ({ class: `${change.change.direction} ${change.place ? '' : 'sum whole'}` })}
          columns={[
            [
              'function',
              'row',
              (one) => (one.change.place ? <Who of={one.words}>{linked(one)}</Who> : 'whole program'),
            ],
            ['what changed', 'what', ({ words }) => words.what],
            [
              'growth',
              'growth-cell',
              ({ change }) => <Growth change={change} sides={sidesOf(data, change)} />,
            ],
            ['before', 'number now', ({ words: { costs } }) => <span data-then={costs[1]}>{costs[0]}</span>],
            ['after', 'number then', ({ words }) => words.costs[1]],
            ['change', 'number share', ({ words }) => words.change],
            ['interval of the change', 'interval', ({ words }) => <Bar words={words} scale={scale} />],
          ]}
        />
      )}
      {more > 0 && (
        <p class="note">
          {plural(more, 'more change')}; <code>trend-prof diff --top {changed}</code> shows all.
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

function Who({ of, children }: { of: Words; children: ComponentChildren }) {
  return (
    <span class="who">
      <span>
        {children}
        <span class="place">{shorten(of.place, 48)}</span>
      </span>
    </span>
  );
}

interface GrowthProps {
  change: Compared;
  sides: Compare['rows'][number]['sides'];
}

/** Shows `n → n^2`, or one class if both versions have the same. */
function Growth({ change: { before, after }, sides }: GrowthProps) {
  const badge = (text: string, side: GrowthProps['sides'][number]) =>
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

/** Returns a function that maps a difference to its position on a bar. All rows share one 0. */
function scaleOf(rows: readonly Words[]): (by: number) => number {
  const ends = rows.flatMap(({ by, by_ci }) => [by, ...(by_ci ?? [])]);
  const [lo, hi] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  return (by) => 3 + ((BAR - 6) * (by - lo)) / Math.max(hi - lo, Number.MIN_VALUE);
}

/** Draws the difference with its interval, left or right of 0. */
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
