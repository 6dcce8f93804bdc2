/** Lists what was run, failures first: input, time, memory, cost, and deviation from the law of the total cost. */

import { useMemo } from 'preact/hooks';

import { lawAt } from '../data/law';
import { pointsBetween, span } from '../data/models';
import type { Page } from '../data/page';
import * as number from '../format/number';
import { visible } from '../format/text';
import { RUN_CHIPS, runColumns, runFilters, type RunRow, runs } from '../listing/run-columns';
import { sizeRange } from '../overview/band';
import { FailedAbove } from '../overview/states';
import { FigureSet } from '../plot/figure-set';
import type { Figure } from '../plot/types';
import { hrefHere, moved, page, param } from '../state/state';
import { Grid } from '../table/grid';
import { CopyButton, exclusion } from '../view/copy';
import { Section } from '../view/parts';

const selectedName = param('selected');

/** Maximum number of features in the remarks. */
const MOST_FEATURES = 50;

export function Runs() {
  const now = page.value;
  const rows = useMemo(() => runs(now), [now]);
  const columns = useMemo(() => runColumns(now, rows), [now, rows]);
  const filters = useMemo(() => runFilters(now), [now]);
  const selected = rows.find((row) => row.info.name === selectedName.value);
  const { workloads, features: [first] } = now.findings; // prettier-ignore
  return (
    <>
      <FailedAbove />
      <header class="page-head wrap">
        <h1>Runs</h1>
        <p class="soft">
          {number.plural(workloads.count, 'run')} {first && sizeRange(first)}
          {workloads.failed > 0 ? `, ${number.grouped(workloads.failed)} more failed` : ', none failed'}
        </p>
      </header>
      {selected && <Selected row={selected} />}
      <Grid
        name="runs"
        noun="run"
        rows={rows}
        columns={columns}
        id={(row) => row.info.name}
        href={(row) => hrefHere({ selected: row.info.name })}
        search={(row) => `${row.info.name} ${row.info.command} ${row.failure?.reason ?? ''}`}
        defaultSort="-total"
        filters={filters}
        chips={RUN_CHIPS}
        rowHeight={3.25}
        maxHeight="60vh"
        stacked={['workload', `feature.${first?.name ?? ''}`, 'wall_s', 'peak_rss_bytes', 'total']}
        actions={(rows) => (
          <CopyButton label="Copy as --exclude" text={() => exclusion(rows.map((row) => row.info.name))} />
        )}
      />
      <OverSize rows={rows} />
      <Features />
    </>
  );
}

/** Draws the time, cost and memory of each run over the feature along which the target moves. */
function OverSize({ rows }: { rows: RunRow[] }) {
  const feature = moved.value?.feature ?? '';
  const figures = useMemo(() => figuresOf(page.value, rows, feature), [rows, feature]);
  const x = useMemo(() => ({ label: feature }), [feature]);
  if (figures.length === 0) return null;
  return (
    <Section title={`Over ${visible(feature).slice(0, 40)}`}>
      <FigureSet link="runs" small x={x} figures={figures} />
    </Section>
  );
}

function figuresOf({ findings, featureIndex }: Page, rows: RunRow[], feature: string): Figure[] {
  const at = featureIndex.get(feature);
  const { law } = findings.total;
  const x = rows.map((row) => row.features[at ?? -1] ?? null);
  const range = law?.features.length === 1 && law.features[0] === feature ? span(x) : null;
  const points = pointsBetween(range ?? [1, 1], (n) => law && lawAt(law, [n]));
  const all: [string, string, (row: RunRow) => number | null, (v: number) => string][] = [
    ['time', 'Time', (row) => row.info.wall_s, number.seconds],
    ['cost', 'Total cost', (row) => row.total, number.cost],
    ['memory', 'Memory', (row) => row.info.peak_rss_bytes, number.bytes],
  ];
  const known = all.filter(([, , value]) => rows.some((row) => (value(row) ?? 0) > 0));
  return known.map(([id, title, value, say]) => ({
    id,
    title,
    summary: `${title} of each run over ${visible(feature)}.`,
    y: { label: title, format: say, tick: (v) => say(v).replace(/\.0+(?=\D)/, '') },
    series: [
      ...(id === 'cost' && range ? [{ kind: 'line' as const, name: 'law', points }] : []),
      {
        kind: 'points',
        name: title,
        x,
        y: rows.map(value),
        labels: (i) => rows[i]?.info.name ?? '',
        open: (i) => hrefHere({ selected: rows[i]?.info.name ?? '', large: null }),
      },
    ],
  }));
}

/** Shows the command line of a run; for a failed run, its error output. */
function Selected({ row: { info, failure } }: { row: RunRow }) {
  if (failure) {
    return (
      <div class="failure">
        {visible(failure.reason.slice(0, 400))}
        {failure.stderr_tail.trim() !== '' && (
          <pre>{failure.stderr_tail.trim().split('\n').map(visible).join('\n')}</pre>
        )}
      </div>
    );
  }
  if (info.command === '') return null;
  return (
    <p>
      <CopyButton label="Copy command line" text={() => info.command} />{' '}
      <code>{visible(info.command.slice(0, 4000))}</code>
      {info.command.includes('{input}') && (
        <span class="soft"> – {'{input}'} is the file generated for these parameters.</span>
      )}
    </p>
  );
}

/** Shows remarks on features: missing values, values left out, and linear dependence on another feature. */
function Features() {
  const remarks = page.value.findings.features.slice(0, MOST_FEATURES).flatMap((f) => {
    const said = [
      f.missing > 0 && `${f.missing} missing`,
      f.not_positive > 0 && `${f.not_positive} not positive, left out`,
      f.joins !== undefined && `linear in ${visible(f.joins).slice(0, 60)}`,
    ].filter((remark) => remark !== false);
    return said.length > 0 ? [`${visible(f.name).slice(0, 40)}: ${said.join('; ')}`] : [];
  });
  return remarks.length > 0 ? <p class="note">{remarks.join(' · ')}</p> : null;
}
