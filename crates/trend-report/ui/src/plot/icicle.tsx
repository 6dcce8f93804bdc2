/** Draws a call tree as an icicle: callees below their caller, as wide as their cost, in the colour of their growth. */

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { shorten, visible } from '../format/text';
import { ClassText, warmthStyle } from '../view/parts';
import { type Box, boxesOf, moved, type Tree } from './boxes';
import { useWidth } from './state';
import { page } from '../state/state';

const ROW = 23;
/** Minimum width of a box, in pixels. */
const LEAST = 2;
/** Room that a box needs around its text, in pixels. A text that does not fit is not drawn. */
const ROOM = 14;
/** Approximate width of a character, in pixels. */
const CHARACTER = 7.3;

/** The growth for each step of warmth. */
const STEPS = ['n or less', 'n log n', 'n^1.2', 'n^2', 'more'];

/** The words of a box. */
export interface Words {
  /** Id of the page that the box leads to; empty if it leads nowhere. */
  id: string;
  name: string;
  /** Its share of the whole. */
  part: string;
  /** Its costs, for the text that appears on hover. */
  costs: string;
  /** Class and step of its growth, if known. */
  growth: string | undefined;
  warmth: number | undefined;
}

interface IcicleProps {
  title: string;
  /** Name, in the legend, of the growth that the colours show. */
  growth: string;
  /** Content between the title and the drawing. */
  children: ComponentChildren;
  tree: Tree;
  /** `[nodes]`: the cost of each node with its callees. */
  costs: Float64Array;
  /** The cost that is as wide as the drawing. */
  whole: number;
  /** Returns the words of a node's box. It must be memoised. */
  words: (node: number) => Words;
  /** Id of the outlined boxes. */
  chosen: string | null;
  /** Chooses what an arrow key reaches. */
  choose: (id: string) => void;
  /** Opens a clicked box, or on Enter the chosen one. */
  open: (id: string) => void;
}

export function Icicle(props: IcicleProps) {
  const { tree, costs, whole, words, chosen, choose, open } = props;
  const { ref, width } = useWidth('icicle');
  const drawn = useMemo(
    () =>
      boxesOf(tree, costs, whole, LEAST / width).map((box) => {
        const { id, name: full, part, costs, growth, warmth } = words(box.node);
        const name = shorten(page.value.shortName(full), 60);
        const fits = (text: string) => text.length * CHARACTER + ROOM <= box.width * width;
        const text = [`${name} ${part}`, name].find(fits) ?? '';
        const title = `${visible(full)}: ${costs}${growth ? `, grows as ${growth}` : ''}`;
        return { ...box, id, text, title, warmth };
      }),
    [tree, costs, whole, words, width],
  );
  const depth = drawn.reduce((most, box) => Math.max(most, box.depth), 0);
  const height = (depth + 1) * ROW + 2;
  // Several boxes can have the chosen id: the keys continue from the box they reached.
  const [reached, setReached] = useState(-1);
  const isChosen = ({ id }: { id: string }) => id !== '' && id === chosen;
  const at = drawn.find((box) => isChosen(box) && box.node === reached) ?? drawn.find(isChosen) ?? drawn[0];
  const lead = (to: (id: string) => void, { node, id }: Box & { id: string }) => {
    setReached(node);
    if (id !== '') to(id);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    const enters = e.key === 'Enter' && at && isChosen(at);
    const next = enters ? at : at && moved(tree, drawn, at, e.key);
    if (!next) return;
    e.preventDefault();
    e.stopPropagation();
    lead(next === at ? open : choose, next);
  };
  return (
    <section class="calls">
      <div class="wrap">
        <h2>{props.title}</h2>
        <ul class="legend wrap" aria-label="colours">
          {STEPS.map((text, step) => (
            <li key={text}>
              <i style={warmthStyle(step)} /> <ClassText text={text} />
            </li>
          ))}
          <li>{props.growth}</li>
        </ul>
      </div>
      {props.children}
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
            <g key={box.node} style={warmthStyle(box.warmth)} class={isChosen(box) ? 'outlined' : ''}>
              <rect
                x={box.x * width + 0.5}
                y={box.depth * ROW + 1}
                width={Math.max(box.width * width - 1, 1)}
                height={ROW - 2}
                onClick={() => lead(open, box)}
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
    </section>
  );
}
