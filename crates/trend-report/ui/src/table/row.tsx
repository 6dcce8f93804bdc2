/** One row of a grid. The whole row leads to its page; text in it can still be selected. */

import type { ComponentChildren } from 'preact';

import { cellText, type Column } from './column';

export function BodyRow<T>({
  row,
  index,
  top,
  columns,
  active,
  selected,
  href,
  onFocus,
  onOpen,
  onClick: choose,
}: {
  row: T;
  index: number;
  /** In rem below the heading. */
  top: number;
  columns: readonly Column<T>[];
  /** The column whose cell has the tab stop. */
  active: number | null;
  selected: boolean;
  href: string | null;
  onFocus: (column: number) => void;
  onOpen: (address: string) => void;
  /** Instead of opening it. */
  onClick: (() => void) | undefined;
}) {
  const onClick = (e: MouseEvent) => {
    if (e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.defaultPrevented) return;
    if (e.target instanceof Element && e.target.closest('button, input, select')) return;
    const link = e.target instanceof Element ? e.target.closest('a') : null;
    const address = link ? link.getAttribute('href') : href;
    if (!(getSelection()?.isCollapsed ?? true)) return;
    if (choose && !link) return choose();
    if (address === null) return;
    e.preventDefault();
    onOpen(address);
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected || undefined}
      class={href === null && !choose ? 'grid-row' : 'grid-row leads'}
      data-odd={index % 2 === 1 || undefined}
      style={{ top: `${top}rem` }}
      onClick={onClick}
    >
      {columns.map((column, i) => (
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={i + 1}
          tabIndex={i === active ? 0 : -1}
          data-active={i === active || undefined}
          class={column.numeric ? 'cell numeric' : 'cell'}
          onFocusIn={() => onFocus(i)}
        >
          {column.render ? column.render(row) : cellText(column.value(row))}
        </div>
      ))}
    </div>
  );
}

/** A link within a row: reached by the arrow keys and Enter, so it is no tab stop of its own. */
export function RowLink({ href, children }: { href: string | null; children: ComponentChildren }) {
  if (href === null) return <>{children}</>;
  return (
    <a href={href} tabIndex={-1}>
      {children}
    </a>
  );
}
