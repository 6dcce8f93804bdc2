/**
 * A table of up to some ten thousand rows, with sorting, filters, keyboard navigation, and export as CSV or JSON. Only
 * rows in view are in the document. The address holds the sort, the filters, the chip and the selected row.
 */

import { useMemo, useRef } from 'preact/hooks';

import { go, param, setParams } from '../state/state';
import { Body } from './body';
import { type GridProps, useChoices } from './choices';
import { shownColumns } from './column';
import { Toolbar } from './toolbar';
import { useBox } from './window';

export function Grid<T>(props: GridProps<T>) {
  const { rows, columns, noun, prefix = '' } = props;
  const chosen = useChoices(props);
  const scroller = useRef<HTMLDivElement>(null);
  const box = useBox(scroller);
  const room = Math.floor(box.width / box.rem) - 1;
  const fit = props.allColumns ? Infinity : room;
  const stacked = box.width > 0 && room < STACKED_BELOW ? props.stacked : undefined;
  const shown = useMemo(
    () => (stacked ? columns.filter((c) => stacked.includes(c.key)) : shownColumns(columns, fit)),
    [columns, fit, stacked === undefined],
  );
  const inAddress = useMemo(() => param(`${prefix}selected`), [prefix]).value;
  const selected = props.selected ?? inAddress;
  const open = (row: T, address: string) => {
    setParams({ [`${prefix}selected`]: props.id(row) });
    go(address);
  };
  const filtered = useMemo(() => chosen.positions.flatMap((i) => rows[i] ?? []), [rows, chosen.positions]);
  const tools = {
    grid: props,
    chosen,
    shown,
    filtered,
    onEnterRows: () => scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
  };
  return (
    <div class="grid-frame">
      <Toolbar {...tools} />
      <Body
        grid={props}
        rows={filtered}
        columns={shown}
        onOpen={open}
        isStacked={stacked !== undefined}
        {...{ scroller, box, chosen, selected }}
      />
      {filtered.length === 0 && (
        <p class="soft">
          {rows.length === 0 ? `This study has no ${noun}s.` : 'No row matches the filters.'}
        </p>
      )}
    </div>
  );
}

/** Width in rem below which rows of a grid with `stacked` columns have two lines. */
const STACKED_BELOW = 38;
