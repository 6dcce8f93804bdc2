/** Explains a cost: the number of calls times the cost per call, or the loops around the place. */

import { useMemo } from 'preact/hooks';

import { extended } from '../data/columns';
import { powerAt } from '../data/law';
import { pointsBetween } from '../data/models';
import type { Subject } from '../data/page';
import type { Cluster, Decomposition, LoopRelation, LoopRow, Member, Model } from '../data/types';
import { visible } from '../format/text';
import { FigureSet } from '../plot/figure-set';
import type { AxisProps, Figure, Series } from '../plot/types';
import { measured, type RowFigure } from './figures';
import { isDetermined, loopsAround, loopsOf, nestOf, placeText, tripsText } from '../source/loops';
import { functionLink, href, page } from '../state/state';
import { ClassText, GrowthBadge, Linked, Section } from '../view/parts';

interface WhyProps {
  subject: Subject;
  figure: RowFigure;
  costliest: Member | undefined;
}

export function Why({ subject, figure, costliest }: WhyProps) {
  const taken = useMemo(() => takenApart(subject), [subject]);
  const loops = costliest ? loopsAround(loopsOf(page.value.findings, costliest.file), costliest.line) : [];
  if (!taken && loops.length === 0) return null;
  return (
    <Section title="Why it grows">
      {loops.length > 0 && <LoopProduct loops={loops} />}
      {taken && <Factors row={taken.row} parts={taken.parts} figure={figure} />}
    </Section>
  );
}

/** Returns the cluster whose cost is decomposed: the row itself, or one that covers a part of the function. */
function takenApart({ kind, name, file, row }: Subject) {
  const isIt = (one: Cluster) =>
    kind === 'cluster'
      ? one === row
      : one.decomposition?.function === name && one.decomposition.file === file;
  const found = page.value.findings.clusters.find(isIt);
  return found?.decomposition ? { row: found, parts: found.decomposition } : null;
}

/**
 * Shows `m²/2 = m (parser.c:190) × len(n) (list.c:7)` for the loops around a place, the innermost first. If one of them
 * depends on the data, shows the innermost loop's trips in a whole run instead.
 */
export function LoopProduct({ loops }: { loops: LoopRow[] }) {
  const [innermost] = loops;
  if (!innermost) return null;
  const { in_call: inCall, in_run: inRun } = innermost;
  const nest = nestOf(loops, innermost);
  const factors = [...nest].reverse().map((loop, i) => (
    <span key={i}>
      {i > 0 && ' × '}
      {tripsText(loop)} (<a href={href('source', loop.file, { line: loop.line })}>{placeText(loop)}</a>)
    </span>
  ));
  if (!nest.every(isDetermined)) {
    return (
      <p class="product">
        {inRun && (
          <>
            <b>
              <InRun run={inRun} />
            </b>{' '}
            trips in a run;{' '}
          </>
        )}
        <span class="soft">depends on the data: {factors}</span>
      </p>
    );
  }
  return (
    <p class="product">
      <b>
        {inCall.at_most === true ? '≤ ' : ''}
        {visible(inCall.formula)}
      </b>{' '}
      trips in a call <span class="soft">= {factors}</span>
    </p>
  );
}

/** Shows the law of the trips in a whole run; "undecided" if there are too few runs for an interval. */
export function InRun({ run }: { run: LoopRelation }) {
  if (run.status === 'undecided') return <span class="doubt">undecided</span>;
  return (
    <>
      {run.status === 'exact' ? '' : '≈ '}
      <ClassText text={visible(run.formula)} />
      {run.status === 'several' && <span class="doubt"> ?</span>}
    </>
  );
}

interface FactorsProps {
  parts: Decomposition;
  row: Cluster;
  figure: RowFigure;
}

function Factors({ parts, row, figure }: FactorsProps) {
  const { feature } = figure.model;
  const [entries, perEntry] = [parts.entries, parts.per_entry].map(({ models }) => modelIn(models, feature));
  const link = functionLink({ name: parts.function, file: parts.file });
  const x = useMemo((): AxisProps => ({ label: feature }), [feature]);
  const figures = useMemo(() => figuresOf(row, figure, entries, perEntry), [row, figure]);
  return (
    <>
      <p>
        The calls of <Linked to={link} text={parts.function} /> grow as <GrowthBadge model={entries} />, and
        the cost per call here as <GrowthBadge model={perEntry} />.
      </p>
      {figures.length > 0 && <FigureSet link="why" small x={x} figures={figures} />}
    </>
  );
}

function figuresOf(row: Cluster, figure: RowFigure, entries?: Model, perEntry?: Model): Figure[] {
  const { factors } = row;
  if (!factors) return [];
  // The cost of the decomposed part, which may be less than the row's cost.
  const costs = factors.entries.map((entries, i) => entries * (factors.per_entry[i] ?? 0));
  const one = (
    id: string,
    title: string,
    values: readonly (number | null)[],
    model: Model | undefined,
    lines: (Model | undefined)[] = [model],
  ): Figure => ({
    id,
    title,
    note: <GrowthBadge model={model} />,
    summary: `${title} over ${visible(figure.model.feature)}.`,
    y: { label: title },
    series: [
      ...powerLine(figure, lines),
      ...measured({ ...figure, model: extended(figure.model, { split: undefined }) as Model }, values),
    ],
  });
  return [
    one('entries', 'calls', factors.entries, entries),
    one('each', '× cost per call', factors.per_entry, perEntry),
    one('costs', '= cost', costs, figure.model, [entries, perEntry]),
  ];
}

/** Returns the product of the models' power laws as a line; no line if a model has none. */
function powerLine({ data }: RowFigure, models: (Model | undefined)[]): Series[] {
  const laws = models.flatMap((model) => model?.power_law ?? []);
  if (laws.length < models.length || !data) return [];
  const product = (n: number) => laws.reduce((product, law) => product * (powerAt(law, n) ?? NaN), 1);
  return [{ kind: 'line', name: 'power law', points: pointsBetween(data, product) }];
}

function modelIn(models: Model[], feature: string): Model | undefined {
  return models.find((m) => m.feature === feature);
}
