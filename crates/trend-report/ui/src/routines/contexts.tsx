/** Draws calling contexts as an icicle: width is the cost at the target, colour is the growth. */

import { useMemo, useState } from 'preact/hooks';

import type { CallTree } from '../data/types';
import * as number from '../format/number';
import { capitalized, shorten, visible } from '../format/text';
import { useWidth } from '../plot/state';
import { type Box, boxesOf, costsOf, moved, wholeOf } from './icicle';
import { costAt, type Entry, measured, placeId, treeOf, withContexts } from './places';
import { givenText, page, target } from '../state/state';
import { ClassText, warmthStyle } from '../view/parts';
import { Slider } from '../view/target';

const ROW = 23;
/**
 * Minimum width of a box in pixels. Its text is drawn if it fits with this room around it, at this width per character.
 */
const LEAST = 2;
const ROOM = 14;
const CHARACTER = 7.3;

/** The growth for each step of warmth. */
const STEPS = ['n or less', 'n log n', 'n^1.2', 'n^2', 'more'];

interface Drawn extends Box {
  name: string;
  text: string;
  title: string;
  warmth: number | undefined;
  chosen: boolean;
  /** Id of the place that a click chooses; empty for a caller that was not profiled. */
  id: string;
}

export function Contexts({ entry, choose }: { entry: Entry; choose: (id: string) => void }) {
  const tree = treeOf(page.value, entry.row);
  const words = page.value.wordsOf(entry.row);
  if (!tree) {
    return (
      <p class="note">
        Calling contexts were not recorded: <code>trend-prof build --probe routines --contexts</code> keeps
        them, and draws who calls whom here.
      </p>
    );
  }
  const grown = tree.growth_in === 'runs' && costAt(page.value, target.value) !== null;
  return (
    <section class="contexts">
      <div class="wrap">
        <h2>
          {capitalized(`${words.execution}s`)}, as wide as their cost{' '}
          {grown ? `at ${givenText()}` : 'in what was run'}
        </h2>
        <ul class="legend wrap" aria-label="colours">
          {STEPS.map((text, step) => (
            <li key={text}>
              <i style={warmthStyle(step)} /> <ClassText text={text} />
            </li>
          ))}
          <li>growth {tree.growth_in === 'runs' ? `in ${featuresText()}` : 'in own input'}</li>
        </ul>
      </div>
      {grown ? (
        <Slider />
      ) : (
        <p class="note">Runs of several sizes with a feature show how the widths change.</p>
      )}
      <Icicle tree={tree} entry={entry} choose={choose} />
    </section>
  );
}

function featuresText(): string {
  return page.value.findings.features.map((f) => shorten(f.name, 24)).join(', ');
}

function Icicle({ tree, entry, choose }: { tree: CallTree; entry: Entry; choose: (id: string) => void }) {
  const { ref, width } = useWidth('icicle');
  const then = costAt(page.value, target.value);
  const now = useMemo(() => costsOf(tree, rowsOf(), measured), [tree]);
  const drawn = useMemo(() => {
    const costs = then && tree.growth_in === 'runs' ? costsOf(tree, rowsOf(), then) : now;
    const sharesOf = (all: Float64Array) => {
      const whole = wholeOf(tree, all);
      return (node: number) => number.share((all[node] ?? 0) / whole);
    };
    const [shareNow, shareThen] = [sharesOf(now), sharesOf(costs)];
    return boxesOf(tree, costs, LEAST / width).map((box): Drawn => {
      const node = tree.nodes[box.node];
      const row = node?.series === undefined ? undefined : rowsOf()[node.series];
      const name = shorten(row?.name ?? node?.name ?? '', 60);
      const part = shareThen(box.node);
      const fits = (text: string) => text.length * CHARACTER + ROOM <= box.width * width;
      const both =
        costs === now
          ? `${part} in what was run`
          : `${part} at ${givenText()}, ${shareNow(box.node)} in what was run`;
      const growth = row?.growth ? `, grows as ${row.growth}` : '';
      const id = row ? placeId(row, withContexts.value) : '';
      return {
        ...box,
        name,
        text: [`${name} ${part}`, name].find(fits) ?? '',
        title: `${visible(name)}: ${both}${growth}`,
        warmth: row?.warmth,
        chosen: id !== '' && id === entry.id,
        id,
      };
    });
  }, [tree, then, now, width, entry.id, withContexts.value, target.value]);
  const depth = drawn.reduce((most, box) => Math.max(most, box.depth), 0);
  const height = (depth + 1) * ROW + 2;
  // A routine has a box in each of its contexts: the keys continue from the box they reached.
  const [reached, setReached] = useState(-1);
  const isReached = (box: Drawn) => box.chosen && box.node === reached;
  const at = drawn.find(isReached) ?? drawn.find((box) => box.chosen) ?? drawn[0];
  const onKeyDown = (e: KeyboardEvent) => {
    const next = at && moved(tree, drawn, at, e.key);
    const found = drawn.find((box) => box.node === next?.node);
    if (!found) return;
    e.preventDefault();
    e.stopPropagation();
    setReached(found.node);
    if (found.id !== '') choose(found.id);
  };
  return (
    <div class="icicle" ref={ref}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        tabindex={0}
        role="application"
        aria-roledescription="call tree"
        aria-label={`Call tree; width is cost, colour is growth. ${at?.title ?? ''}`}
        onKeyDown={onKeyDown}
      >
        {drawn.map((box) => (
          <g key={box.node} style={warmthStyle(box.warmth)} class={box.chosen ? 'outlined' : ''}>
            <rect
              x={box.x * width + 0.5}
              y={box.depth * ROW + 1}
              width={Math.max(box.width * width - 1, 1)}
              height={ROW - 2}
              onClick={() => box.id !== '' && choose(box.id)}
            >
              <title>{box.title}</title>
            </rect>
            {box.text && (
              <text x={box.x * width + 7} y={box.depth * ROW + 16}>
                {box.text}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

const rowsOf = () => page.value.findings.series;
