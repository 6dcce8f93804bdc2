/**
 * The heading and the rows of a grid, in a box that scrolls by itself: an ARIA grid with one tab stop. The cell that
 * has it stays in the document when it is scrolled out of view, so that the keyboard does not lose its place.
 */

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { COLUMN_GAP, type Column } from './column';
import { delimited } from '../files/delimited';
import { HeadRow } from './head';
import { BodyRow } from './row';
import type { Box } from './box';
import type { Chosen } from './state';
import { moved, rowsInView, scrollToShow, type Position } from './window';

/** Of the heading, in rem. */
const HEAD_HEIGHT = 2.2;

export interface BodyProps<T> {
  scroller: RefObject<HTMLDivElement | null>;
  box: Box;
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  chosen: Chosen;
  id: (row: T) => string;
  href: (row: T) => string | null;
  rowHeight: number;
  selected: string | null;
  onOpen: (row: T, address: string) => void;
  choose: ((row: T, step: 'push' | 'replace') => void) | undefined;
  maxHeight: string | undefined;
}

export function Body<T>(props: BodyProps<T>) {
  const { scroller, box, rows, columns, chosen, id, rowHeight, selected } = props;
  const [active, setActive] = useState<Position>({ row: 0, column: 0 });
  const focusNext = useRef(false);
  const at = {
    row: Math.min(active.row, rows.length - 1),
    column: Math.min(active.column, columns.length - 1),
  };
  const row = rowHeight * box.rem;
  const head = HEAD_HEIGHT * box.rem;
  const inView = rowsInView(box.top, box.height - head, row, rows.length);

  const showRow = (index: number) => {
    const element = scroller.current;
    if (element && index >= 0) {
      element.scrollTop = scrollToShow(index, element.scrollTop, element.clientHeight - head, row);
    }
  };

  // Where a link or "back" names a row, it is in view; not again when somebody scrolls on.
  useLayoutEffect(() => {
    if (selected === null || box.height === 0) return;
    const index = rows.findIndex((r) => id(r) === selected);
    if (index < 0) return;
    setActive((now) => ({ ...now, row: index }));
    showRow(index);
  }, [selected, box.height === 0]);

  // Who comes back to a row by the keyboard goes on from there, unless the focus is somewhere already.
  useEffect(() => {
    if (selected === null || !rows.some((r) => id(r) === selected)) return;
    const timer = setTimeout(() => {
      const now = document.activeElement;
      if (now !== document.body && now?.id !== 'main') return;
      scroller.current?.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, []);

  // What is sorted or filtered anew begins at its top.
  const before = useRef(chosen.signature);
  useLayoutEffect(() => {
    if (before.current === chosen.signature) return;
    before.current = chosen.signature;
    setActive((now) => ({ ...now, row: Math.min(now.row, 0) }));
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [chosen.signature]);

  useLayoutEffect(() => {
    if (!focusNext.current) return;
    focusNext.current = false;
    const cell = scroller.current?.querySelector<HTMLElement>('[data-active]');
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const onKeyDown = (e: KeyboardEvent) => {
    if (e.altKey || e.shiftKey) return;
    if (e.key === 'Enter') return openActive(e);
    const page = Math.max(Math.floor((box.height - head) / row) - 1, 1);
    const to = moved(at, e.key, e.ctrlKey || e.metaKey, rows.length, columns.length, page);
    if (!to) return;
    e.preventDefault();
    showRow(to.row);
    focusNext.current = true;
    setActive(to);
    const next = rows[to.row];
    if (next !== undefined && to.row !== at.row) props.choose?.(next, 'replace');
  };

  const openActive = (e: KeyboardEvent) => {
    const target = rows[at.row];
    if (!target || e.target instanceof HTMLButtonElement || e.target instanceof HTMLAnchorElement) return;
    const address = props.href(target);
    if (address === null) return;
    e.preventDefault();
    props.onOpen(target, address);
  };

  const onCopy = (e: ClipboardEvent) => {
    const target = rows[at.row];
    if (!target || !getSelection()?.isCollapsed || !e.clipboardData) return;
    const cells = columns.filter((c) => !c.drawn);
    const [, line = ''] = delimited([], [cells.map((c) => c.value(target))], '\t').split(/^\r\n/);
    e.clipboardData.setData('text/plain', line.trimEnd());
    e.preventDefault();
  };

  const drawn = new Set<number>();
  for (let i = inView.first; i < inView.end; i++) drawn.add(i);
  if (at.row >= 0) drawn.add(at.row);
  const template = columns
    .map((c) => (c.grow ? `minmax(${c.width}rem, ${c.grow}fr)` : `${c.width}rem`))
    .join(' ');
  const least = columns.reduce((sum, c) => sum + c.width + COLUMN_GAP, 0.6);
  return (
    <div
      class="grid-box"
      ref={scroller}
      onScroll={box.onScroll}
      style={{ maxHeight: props.maxHeight ?? `${box.maxHeight}px` }}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
    >
      <div
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        style={{ '--columns': template, '--row': `${rowHeight}rem`, minWidth: `${least}rem` }}
      >
        <HeadRow
          columns={columns}
          sort={chosen.sort}
          onSort={chosen.sortBy}
          active={at.row < 0 ? at.column : null}
          onFocus={(column) => setActive({ row: -1, column })}
        />
        <div role="rowgroup" class="grid-rows" style={{ height: `${rows.length * rowHeight}rem` }}>
          {[...drawn]
            .sort((a, b) => a - b)
            .map((i) => {
              const shown = rows[i];
              if (shown === undefined) return null;
              const key = id(shown);
              return (
                <BodyRow
                  key={key}
                  row={shown}
                  index={i}
                  top={i * rowHeight}
                  columns={columns}
                  active={i === at.row ? at.column : null}
                  selected={selected === key}
                  href={props.href(shown)}
                  onFocus={(column) => setActive({ row: i, column })}
                  onOpen={(address) => props.onOpen(shown, address)}
                  onClick={props.choose && (() => props.choose?.(shown, 'push'))}
                />
              );
            })}
        </div>
      </div>
    </div>
  );
}
