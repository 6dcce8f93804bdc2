/** The routines by the size of their own input: a list on one side, the details of the chosen routine on the other. */

import { useMemo } from 'preact/hooks';

import * as number from '../format/number';
import { shorten, visible } from '../format/text';
import { useParam } from '../plot/state';
import { Contexts } from '../routines/contexts';
import { Figures } from '../routines/figures';
import { List } from '../routines/list';
import {
  type Cost,
  costAt,
  entriesOf,
  type Entry,
  isSelf,
  isWide,
  metric,
  oneCost,
  unit,
} from '../routines/places';
import { Toolbar } from '../routines/toolbar';
import { RoutineModels, Tuples } from '../routines/tuples';
import { givenText, href, page, setParams, target } from '../state/state';
import { rangeOf } from '../table/narrow';
import { GrowthBadge, LawText, Name, Section } from '../view/parts';
import { Unknown } from '../view/unknown';

export function Routines() {
  const entries = useMemo(
    () => entriesOf(page.value, metric.value, unit.value),
    [page.value, metric.value, unit.value],
  );
  const asked = useParam('selected');
  const found = asked === null ? undefined : entries.find(({ id }) => id === asked);
  const wholes = entries.filter(({ row }) => row.context === undefined);
  const chosen = found ?? wholes.find(({ row }) => row.sizes > 1) ?? wholes[0] ?? entries[0];
  if (!chosen) {
    return (
      <>
        <h1>Routines</h1>
        <p>
          No routine was recorded. Record them with <code>trend-prof build --probe routines -- make</code>
        </p>
      </>
    );
  }
  const choose = (id: string, step: 'push' | 'replace' = 'push') =>
    setParams({ selected: id, 'tuples.size': null, guess: null }, step);
  return (
    <div class={isWide.value ? 'routines wide' : 'routines'}>
      <h1 class="hidden">{page.value.seriesTitle} by the size of their own input</h1>
      <aside aria-label={page.value.seriesTitle}>
        <List entries={entries} chosen={chosen} choose={choose} />
        <p class="note">
          Growth is in the routine's own input; shares are{' '}
          {isSelf.value || !costAt(page.value, target.value) ? 'of the measured runs' : `at ${givenText()}`}.
        </p>
      </aside>
      <div class="routine">
        {asked !== null && !found ? (
          <Unknown view="routines" id={asked} />
        ) : (
          <ChosenRoutine entry={chosen} choose={choose} />
        )}
      </div>
    </div>
  );
}

function ChosenRoutine({ entry, choose }: { entry: Entry; choose: (id: string) => void }) {
  const { row } = entry;
  const words = page.value.wordsOf(row);
  const which: Cost = isSelf.value && row.own ? 'own' : (oneCost.value ?? 'worst');
  const model = row[which]?.models[0];
  const meaning = model?.meaning;
  const band = rangeOf(useParam('tuples.size') ?? '');
  return (
    <>
      <Contexts entry={entry} choose={choose} />
      <Toolbar entry={entry} model={model} />
      <header class="routine-head wrap">
        <h2>
          <Name text={row.name} columns={80} />
        </h2>
        {model?.source && (
          <>
            <GrowthBadge model={model} />
            <LawText text={row[which]?.law?.formula ?? ''} /> <span>{visible(row.unit)}</span>
            <span class="soft">{which === 'own' ? 'without callees' : `${which} ${words.execution}`}</span>
          </>
        )}
        {row.file && (
          <a class="last" href={href('source', row.file, { line: row.line })}>
            {shorten(row.file, 60)}:{row.line}
          </a>
        )}
      </header>
      {row.context !== undefined && (
        <p class="soft">
          called by <Name text={row.context} columns={160} />
        </p>
      )}
      {row.sizes < 2 ? (
        <p>Called with only one size, which shows no growth.</p>
      ) : (
        meaning !== undefined && <p>{visible(meaning)}</p>
      )}
      <p class="soft">{visible(row.facts.join(' '))}</p>
      {row.sizes > 1 && (
        <>
          <RoutineModels row={row} which={which} />
          <Figures entry={entry} which={which} band={band ?? undefined} />
        </>
      )}
      <Section title="Tuples">
        <p class="note">{`${number.plural(row.sizes, 'size')}; drag over a chart to select some.`}</p>
        <Tuples tuples={row.observations} own={row.own_costs} name={row.name} words={words} />
      </Section>
    </>
  );
}
