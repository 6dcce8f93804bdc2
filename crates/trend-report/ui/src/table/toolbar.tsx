/** The toolbar of a grid: its filters, the number of rows that pass, and actions on them. */

import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';

import { delimited, json, save } from '../files/delimited';
import { grouped, plural } from '../format/number';
import { visible } from '../format/text';
import type { Choices, GridProps } from './choices';
import type { Column } from './column';
import type { Filter } from './narrow';
import { Choice } from '../view/choice';
import { CopyButton } from '../view/copy';

const NONE: readonly never[] = [];

interface ToolbarProps<T> {
  grid: GridProps<T>;
  chosen: Choices;
  shown: readonly Column<T>[];
  filtered: readonly T[];
  onEnterRows: () => void;
}

export function Toolbar<T>({ grid, chosen, shown, filtered, onEnterRows }: ToolbarProps<T>) {
  const { rows, noun, filters = [], chips = [], prefix = '' } = grid;
  const active = filters.filter((f) => chosen.typed(f.key) !== '').length;
  const narrowed = active > 0 || chosen.typed('q') !== '' || chosen.chip !== null;
  // Keeps the filters open when the last one is emptied, because the reader may still be typing there.
  const [opened, setOpened] = useState(false);
  return (
    <div class="grid-tools wrap" role="group" aria-label={`filter ${noun}s`}>
      <input
        type="search"
        data-filter
        aria-label={`filter ${noun}s`}
        placeholder="filter"
        title="rows with all these words; press / to focus"
        autocomplete="off"
        spellcheck={false}
        value={chosen.typed('q')}
        onInput={(e) => chosen.type('q', e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' && e.key !== 'ArrowDown') return;
          e.preventDefault();
          onEnterRows();
        }}
      />
      {grid.beside}
      {chips.length > 0 && <Chips grid={grid} chosen={chosen} />}
      <span class="count" role="status">
        {grouped(filtered.length)} of {plural(rows.length, noun)}
      </span>
      {narrowed && (
        <button type="button" onClick={chosen.clear}>
          Show all
        </button>
      )}
      {filters.length > 0 && (
        <details
          class="more-filters"
          open={active > 0 || opened}
          onToggle={(e) => setOpened(e.currentTarget.open)}
        >
          <summary>Filters{active > 0 ? ` (${active})` : ''}</summary>
          <div class="line wrap">
            {filters.map((filter) => (
              <FilterField key={filter.key} filter={filter} chosen={chosen} prefix={prefix} />
            ))}
          </div>
        </details>
      )}
      <Actions grid={grid} shown={shown} filtered={filtered} />
    </div>
  );
}

function FilterField<T>({ filter, chosen, prefix }: { filter: Filter<T>; chosen: Choices; prefix: string }) {
  const error = chosen.errors.get(filter.key);
  const id = `filter-${prefix}${filter.key}`;
  const percent = filter.kind === 'range' && filter.percent === true;
  return (
    <span class="filter wrap">
      <label for={id}>{filter.label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error !== undefined}
        title={filter.hint}
        placeholder={filter.kind === 'text' ? 'words' : percent ? 'min or 1..5 %' : 'min or a..b'}
        value={chosen.typed(filter.key)}
        onInput={(e) => chosen.type(filter.key, e.currentTarget.value)}
      />
      {error !== undefined && (
        <span class="doubt" role="alert">
          {visible(error)}
        </span>
      )}
    </span>
  );
}

function Chips<T>({ grid, chosen }: { grid: GridProps<T>; chosen: Choices }) {
  const { rows, chips = NONE } = grid;
  const counts = useMemo(() => chips.map((chip) => rows.filter(chip.keeps).length), [rows, chips]);
  const of = chips.map(({ key, label, hint }, i) => ({
    key,
    text: `${label} ${grouped(counts[i] ?? 0)}`,
    title: hint ?? '',
  }));
  return (
    <Choice
      label="kinds"
      of={[...of, { key: '', text: 'all' }]}
      chosen={chosen.chip ?? ''}
      choose={(key) => chosen.setChip(key || null)}
    />
  );
}

export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (details.current) details.current.open = false;
  };
  return (
    <details
      class="menu"
      ref={details}
      onKeyDown={(e) => {
        if (e.key !== 'Escape' || !details.current?.open) return;
        e.preventDefault();
        close();
        details.current.querySelector('summary')?.focus();
      }}
      onFocusOut={(e) => {
        // A click on plain text does not move the focus to another element; the menu stays open.
        if (e.relatedTarget instanceof Node && !details.current?.contains(e.relatedTarget)) close();
      }}
    >
      <summary>{label}</summary>
      <div class="sheet" tabIndex={-1}>
        {children}
      </div>
    </details>
  );
}

interface ActionsProps<T> {
  grid: GridProps<T>;
  shown: readonly Column<T>[];
  filtered: readonly T[];
}

function Actions<T>({ grid, shown, filtered }: ActionsProps<T>) {
  const { name, columns } = grid;
  const csv = () => save(`${name}.csv`, 'text/csv', written(filtered, columns, ','));
  const json = () => save(`${name}.json`, 'application/json', written(filtered, columns, 'json'));
  return (
    <span class="actions wrap">
      <CopyButton label="Copy rows" text={() => written(filtered, shown, '\t')} />
      <Menu label="Save">
        <div class="line wrap">
          <button type="button" onClick={csv}>
            CSV
          </button>
          <button type="button" onClick={json}>
            JSON
          </button>
        </div>
        <p class="note">
          Saves the filtered rows with all columns, unrounded. In CSV, texts that a spreadsheet would run as
          formulas begin with an apostrophe.
        </p>
      </Menu>
      {grid.actions?.(filtered)}
    </span>
  );
}

function written<T>(rows: readonly T[], columns: readonly Column<T>[], as: ',' | '\t' | 'json'): string {
  const data = columns.filter((c) => !c.drawn);
  const head = data.map((c) => c.key);
  const cells = rows.map((row) => data.map((c) => c.value(row)));
  return as === 'json' ? json(head, cells) : delimited(head, cells, as);
}
