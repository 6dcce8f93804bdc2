/** Above a grid: its filters, how many rows remain, and what can be done with them. */

import { useEffect, useRef } from 'preact/hooks';

import { visible } from '../format/text';
import { Actions } from './actions';
import type { Column } from './column';
import type { GridProps } from './grid';
import type { Filter } from './narrow';
import type { Chosen } from './state';

export function Toolbar<T>({
  grid,
  chosen,
  shown,
  filtered,
  onEnterRows,
}: {
  grid: GridProps<T>;
  chosen: Chosen;
  shown: readonly Column<T>[];
  filtered: readonly T[];
  onEnterRows: () => void;
}) {
  const { rows, noun, filters = [], chips = [], prefix = '' } = grid;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (e.key !== '/' || e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || isTyping(e.target))
        return;
      e.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    if (prefix !== '') return; // Of two grids on a page, the first.
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const active = filters.filter((f) => chosen.typed(f.key) !== '').length;
  const narrowed = active > 0 || chosen.typed('q') !== '' || chosen.chip !== null;
  const error = chosen.errors.get('q');
  return (
    <div class="grid-tools" role="group" aria-label={`filter ${noun}s`}>
      <div class="line">
        <span class="filter wide">
          <input
            ref={input}
            type="search"
            data-filter
            aria-label={`filter ${noun}s`}
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : `${prefix}q-error`}
            placeholder="filter, or /regex/"
            title="words that all occur, or a regular expression between slashes; press / to come here"
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
          {error !== undefined && (
            <span class="doubt" id={`${prefix}q-error`} role="alert">
              {visible(error)}
            </span>
          )}
        </span>
        {chips.length > 0 && <Chips grid={grid} chosen={chosen} />}
        <span class="count" role="status">
          {filtered.length.toLocaleString('en-US')} of {rows.length.toLocaleString('en-US')} {noun}
          {rows.length === 1 ? '' : 's'}
        </span>
        {narrowed && (
          <button type="button" onClick={chosen.clear}>
            Show all
          </button>
        )}
        <Actions grid={grid} chosen={chosen} shown={shown} filtered={filtered} />
      </div>
      {filters.length > 0 && (
        <details class="more-filters" open={active > 0}>
          <summary>Filters{active > 0 ? ` (${active})` : ''}</summary>
          <div class="line">
            {filters.map((filter) => (
              <FilterField key={filter.key} filter={filter} chosen={chosen} prefix={prefix} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

function FilterField<T>({ filter, chosen, prefix }: { filter: Filter<T>; chosen: Chosen; prefix: string }) {
  const error = chosen.errors.get(filter.key);
  const id = `filter-${prefix}${filter.key}`;
  const percent = filter.kind === 'range' && filter.percent === true;
  return (
    <span class="filter">
      <label for={id}>{filter.label}</label>
      <input
        id={id}
        type="text"
        class={filter.kind === 'text' ? 'path' : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error !== undefined}
        title={filter.hint}
        placeholder={filter.kind === 'text' ? 'text or /regex/' : percent ? 'min or 1..5 %' : 'min or a..b'}
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

function Chips<T>({ grid, chosen }: { grid: GridProps<T>; chosen: Chosen }) {
  const { rows, chips = [] } = grid;
  return (
    <span class="chips" role="group" aria-label="kinds">
      {chips.map((chip) => (
        <button
          key={chip.key}
          type="button"
          aria-pressed={chosen.chip === chip.key}
          title={chip.hint}
          onClick={() => chosen.setChip(chip.key)}
        >
          {chip.label} <span class="n">{rows.filter(chip.keeps).length.toLocaleString('en-US')}</span>
        </button>
      ))}
      <button type="button" aria-pressed={chosen.chip === null} onClick={() => chosen.setChip(null)}>
        all
      </button>
    </span>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
