/**
 * A table of up to some ten thousand rows that people sort, narrow, walk through by keys and take along as CSV or
 * JSON. Only rows in view are in the document. Sort, filters, chips and the selected row are in the address.
 */

import { useMemo, useRef } from 'preact/hooks';

import { go, param, setParams } from '../state/route';
import { Body } from './body';
import { useBox } from './box';
import { shownColumns } from './column';
import type { GridProps } from './props';
import { useChosen } from './state';
import { Narrowed, TextFilter, Toolbar } from './toolbar';

export function Grid<T>(props: GridProps<T>) {
  const { rows, columns, noun, prefix = '' } = props;
  const chosen = useChosen(props);
  const scroller = useRef<HTMLDivElement>(null);
  const box = useBox(scroller);
  const room = Math.floor(box.width / box.rem) - 1;
  const fit = props.allColumns ? Infinity : room;
  const shown = useMemo(() => shownColumns(columns, fit), [columns, fit]);
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
      {props.beside === undefined ? (
        <Toolbar {...tools} />
      ) : (
        <div class="grid-tools line beside-filter">
          <TextFilter {...tools} />
          {props.beside}
        </div>
      )}
      <Body
        scroller={scroller}
        box={box}
        label={`${noun}s`}
        rows={filtered}
        columns={shown}
        chosen={chosen}
        id={props.id}
        href={props.href}
        rowHeight={props.rowHeight ?? 2}
        selected={selected}
        onOpen={open}
        choose={props.choose}
        maxHeight={props.maxHeight}
      />
      {filtered.length === 0 && (
        <p class="grid-empty">
          {rows.length === 0 ? `This study has no ${noun}s.` : 'Nothing passes the filters.'}
        </p>
      )}
      {props.beside !== undefined && (
        <div class="grid-tools">
          <Narrowed {...tools} />
        </div>
      )}
    </div>
  );
}
