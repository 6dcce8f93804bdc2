/**
 * The heading and the rows of a grid, in a box that scrolls by itself: an ARIA grid with one tab stop. The cell with
 * the tab stop stays in the document while it is out of view, so that the keyboard does not lose its place.
 */

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { delimited } from '../files/delimited';
import type { Choices, GridProps } from './choices';
import { cellText, type Column, COLUMN_GAP, sortValue } from './column';
import type { Sort } from './narrow';
import { type Box, moved, type Position, rowsInView, scrollToShow } from './window';

/** Height of the heading, and of a row of two lines on a narrow screen, in rem. */
const HEAD_HEIGHT = 2.5;
const STACKED_HEIGHT = 4.25;

interface BodyProps<T> {
  grid: GridProps<T>;
  scroller: RefObject<HTMLDivElement | null>;
  box: Box;
  /** The filtered rows, in order. */
  rows: readonly T[];
  /** The columns that fit. */
  columns: readonly Column<T>[];
  chosen: Choices;
  selected: string | null;
  /** True if the first column stands above the others. */
  isStacked: boolean;
  onOpen: (row: T, address: string) => void;
}

export function Body<T>(props: BodyProps<T>) {
  const { grid, scroller, box, rows, columns, chosen, selected, isStacked, onOpen } = props;
  const { id, choose } = grid;
  const rowHeight = isStacked ? STACKED_HEIGHT : (grid.rowHeight ?? 2);
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

  // If a link or "back" names a row, scrolls to it once; later scrolling is left alone.
  useLayoutEffect(() => {
    if (selected === null || box.height === 0) return;
    const index = rows.findIndex((r) => id(r) === selected);
    if (index < 0) return;
    setActive((now) => ({ ...now, row: index }));
    showRow(index);
  }, [selected, box.height === 0]);

  // After a return to the page, the keyboard continues at the selected row, unless something else has the focus.
  useEffect(() => {
    if (selected === null || !rows.some((r) => id(r) === selected)) return;
    const timer = setTimeout(() => {
      const now = document.activeElement;
      if (now !== document.body && now?.id !== 'main') return;
      scroller.current?.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, []);

  // Scrolls to the top after a change of sort or filters.
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
    if (next !== undefined && to.row !== at.row) choose?.(next, 'replace');
  };

  const openActive = (e: KeyboardEvent) => {
    const target = rows[at.row];
    if (!target || e.target instanceof HTMLButtonElement || e.target instanceof HTMLAnchorElement) return;
    const address = grid.href(target);
    if (address === null) return;
    e.preventDefault();
    onOpen(target, address);
  };

  const onCopy = (e: ClipboardEvent) => {
    const target = rows[at.row];
    if (!target || !getSelection()?.isCollapsed || !e.clipboardData) return;
    const cells = columns.filter((c) => !c.drawn);
    const [, line = ''] = delimited([], [cells.map((c) => c.value(target))], '\t').split(/^\r\n/);
    e.clipboardData.setData('text/plain', line.trimEnd());
    e.preventDefault();
  };

  /** Returns attributes that make the active cell the only tab stop. */
  const stop = (row: number, column: number) => {
    const isActive = row === Math.max(at.row, -1) && column === at.column;
    const onFocusIn = () => setActive({ row, column });
    return { tabIndex: isActive ? 0 : -1, 'data-active': isActive || undefined, onFocusIn };
  };
  const onClick = (e: MouseEvent, row: T) => {
    if (e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.defaultPrevented) return;
    if (e.target instanceof Element && e.target.closest('button, input, select')) return;
    const link = e.target instanceof Element ? e.target.closest('a') : null;
    if (!(getSelection()?.isCollapsed ?? true)) return;
    if (choose && !link) return choose(row, 'push');
    const address = link ? link.getAttribute('href') : grid.href(row);
    if (address === null) return;
    e.preventDefault();
    onOpen(row, address);
  };
  const bodyRow = (i: number) => {
    const shown = rows[i];
    if (shown === undefined) return null;
    const key = id(shown);
    return (
      <div
        key={key}
        role="row"
        aria-rowindex={i + 2}
        aria-selected={selected === key || undefined}
        class={grid.href(shown) === null && !choose ? 'grid-row' : 'grid-row leads'}
        data-odd={i % 2 === 1 || undefined}
        style={{ top: `${i * rowHeight}rem` }}
        onClick={(e) => onClick(e, shown)}
      >
        {columns.map((column, c) => (
          <div
            key={column.key}
            role="gridcell"
            aria-colindex={c + 1}
            class={column.numeric ? 'cell numeric' : 'cell'}
            data-column={column.key}
            {...stop(i, c)}
          >
            {column.render ? column.render(shown) : cellText(column.value(shown))}
          </div>
        ))}
      </div>
    );
  };

  const drawn = new Set<number>();
  for (let i = inView.first; i < inView.end; i++) drawn.add(i);
  if (at.row >= 0) drawn.add(at.row);
  const widths = columns.map((c) => (c.grow ? `minmax(${c.width}rem, ${c.grow}fr)` : `${c.width}rem`));
  const template = isStacked ? `1fr${' auto'.repeat(columns.length - 2)}` : widths.join(' ');
  const least = isStacked ? 0 : columns.reduce((sum, c) => sum + c.width + COLUMN_GAP, 0.6);
  return (
    <div
      class="grid-box"
      ref={scroller}
      onScroll={box.onScroll}
      style={{ maxHeight: grid.maxHeight ?? `${box.maxHeight}px` }}
      onKeyDown={onKeyDown}
      onCopy={onCopy}
    >
      <div
        role="grid"
        class={isStacked ? 'stacked' : undefined}
        aria-label={`${grid.noun}s`}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        style={{ '--columns': template, '--row': `${rowHeight}rem`, minWidth: `${least}rem` }}
      >
        <div role="rowgroup" class="grid-head">
          <div role="row" aria-rowindex={1} class="grid-row">
            {columns.map((column, i) => (
              <Heading key={column.key} column={column} index={i} sort={chosen.sort} stop={stop(-1, i)}>
                {sortValue(column) && (() => chosen.sortBy(column.key))}
              </Heading>
            ))}
          </div>
        </div>
        <div role="rowgroup" class="grid-rows" style={{ height: `${rows.length * rowHeight}rem` }}>
          {[...drawn].sort((a, b) => a - b).map(bodyRow)}
        </div>
      </div>
    </div>
  );
}

interface HeadingProps<T> {
  column: Column<T>;
  index: number;
  sort: Sort;
  stop: object;
  /** Sorts by the column; `null` if the column has no order. */
  children: (() => void) | null;
}

function Heading<T>({ column, index, sort, stop, children: sortBy }: HeadingProps<T>) {
  const sorted = column.key === sort.key;
  return (
    <div
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      class={column.numeric ? 'cell numeric' : 'cell'}
      title={column.hint}
      {...(sortBy ? {} : stop)}
    >
      {sortBy ? (
        <button type="button" {...stop} onClick={sortBy}>
          {column.title}
          <span class="direction" aria-hidden="true">
            {sorted ? (sort.descending ? '▾' : '▴') : ''}
          </span>
        </button>
      ) : (
        column.title
      )}
    </div>
  );
}
