/**
 * Shows the doubts that change the answer most. If runs failed or are too few, also shows the notes above or instead of
 * the answer.
 */

import { span } from '../data/models';
import { hiddenAtTarget } from '../data/predict';
import type { PageData } from '../data/types';
import { cost, plural, share, significant } from '../format/number';
import { capitalized, shorten, visible } from '../format/text';
import { answer, predictionDoubts, type WeighedFunction } from './answer';
import { href, page, route } from '../state/state';
import { Command, UNTIL_DECIDED } from '../view/copy';
import { Linked, Prose, Warnings } from '../view/parts';
import { Table } from '../view/table';

/** Warns that every run above some size failed. */
export function FailedAbove() {
  const { doubts, workloads } = page.value.findings;
  const doubt = doubts.find((d) => d.kind === 'largest_failed');
  if (!doubt) return null;
  return (
    <div class="failures wrap" role="status">
      <p>
        <b>
          {workloads.failed} of {workloads.failed + workloads.count} runs failed.
        </b>{' '}
        <Prose text={doubt.message} />.
      </p>
      {route.value.view !== 'workloads' && <a href={href('workloads')}>See the runs</a>}
    </div>
  );
}

/** Shows the counts, and the runs that would allow a prediction. */
export function TooFew() {
  const { findings, data } = page.value;
  const sizes = new Set(data.feature_values[0]?.filter((v) => v !== null && v > 0));
  const [count, runs] = [sizes.size, findings.workloads.count];
  const [least, most] = span(data.feature_values[0] ?? []) ?? [1, 1];
  const few = count === 0 ? 'No input size was recorded' : 'Too few runs for a prediction';
  const title = runs === 0 ? 'Nothing was run yet' : few;
  const missing = data.answer.missing === undefined ? '' : ` ${capitalized(data.answer.missing)}.`;
  const command = runs === 0 ? 'trend-prof run' : count > 0 ? UNTIL_DECIDED : null;
  const other = count > 0 ? null : `trend-prof try -- ./${visible(findings.program.name).slice(0, 60)} {n}`;
  const routines = findings.series.length > 0;
  const ofSizes =
    count === 0
      ? ''
      : ` of ${plural(count, 'size')}${count > 1 ? `, ${significant(most / least, 2)} times apart` : ''}`;
  return (
    <section class="few">
      <h1>{title}</h1>
      <p>
        {runs === 0
          ? `The program is built, with ${plural(findings.locations.total, 'block')} to count. Run it on inputs of several sizes.`
          : `${plural(runs, 'run')}${ofSizes}.${missing} Counts are below; growth needs more sizes.`}
      </p>
      {(runs === 0 || page.value.hasRuns) && (
        <p class="act wrap">
          {command !== null && <Command text={command} go />}
          {other !== null && <code class="line">{other}</code>}
        </p>
      )}
      {routines && (
        <p>
          <a href={href('routines')}>Routines by the size of their own input</a>
        </p>
      )}
      {runs > 0 && <Counted />}
    </section>
  );
}

const MOST_ROWS = 10;

function Counted() {
  const rows = page.value.functions.slice(0, MOST_ROWS);
  if (rows.length === 0) return null;
  return (
    <Table
      label="counted functions"
      rows={rows}
      columns={[
        ['function', 'row', ({ id, name }) => <Linked to={href('function', id)} text={name} columns={60} />],
        [`${visible(page.value.findings.unit)}, max cost`, 'number', ({ row }) => cost(row.max_cost)],
        ['share of the most expensive run', 'number', ({ row }) => share(row.share_of_largest)],
      ]}
    />
  );
}

/** Maximum number of doubts shown: as many as a reader will read. */
const MOST = 4;

type Line = PageData['answer']['doubts'][number];

export function Doubt({ named }: { named: WeighedFunction | null }) {
  const about = (d: Line) => d.function === undefined || d.function === named?.candidate.function;
  const ofPredictions = predictionDoubt();
  const others = [...hidden(named), ...page.value.data.answer.doubts.filter(about)];
  const all = [...others.slice(0, MOST - ofPredictions.length), ...ofPredictions];
  const [first] = all;
  if (!first) return null;
  const more = others.length + ofPredictions.length - all.length;
  return (
    <details class="doubt-line">
      <summary>
        <Prose text={first.line} />
      </summary>
      <ul>
        {all.map((doubt, i) => (
          <li key={i}>
            <Prose text={doubt.more ?? doubt.line} />
          </li>
        ))}
        {more > 0 && (
          <li>
            <a href={href('method')}>{plural(more, 'more doubt')} on Method</a>
          </li>
        )}
      </ul>
    </details>
  );
}

/** Joins the doubts about the time and the memory at the target into one that opens. */
function predictionDoubt(): Line[] {
  const whole = answer.value?.whole;
  const sentences = whole ? predictionDoubts(whole) : [];
  const [line] = sentences;
  return line === undefined ? [] : [{ line, more: sentences.join(' ') }];
}

/** Returns the hidden part of the whole program at the target, if there is one; otherwise that of the named function. */
function hidden(named: WeighedFunction | null): Line[] {
  const found =
    hiddenAtTarget(page.value.findings.total, 'the whole program') ??
    (named && hiddenAtTarget(named.subject.row, shorten(named.subject.title, 48)));
  return found ? [{ line: found.line, more: `${found.line} ${found.way}` }] : [];
}

/** Maximum number of doubts about functions; each function's own page shows its doubts. */
const MOST_OF_FUNCTIONS = 20;

/** Shows all doubts: those about the whole program, about the time and the memory, and about functions. */
export function AllDoubts() {
  const { doubts } = page.value.data.answer;
  const of = (isOfFunction: boolean) => doubts.filter((d) => (d.function !== undefined) === isOfFunction);
  const all = [...of(false), ...predictionDoubt(), ...of(true).slice(0, MOST_OF_FUNCTIONS)];
  return <Warnings texts={all.map((doubt) => doubt.more ?? doubt.line)} />;
}
