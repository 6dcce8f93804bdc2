/** The panel for the chosen line, next to the code: its cost now and then, the reasons, its law, and links. */

import { useSignal } from '@preact/signals';

import { extended } from '../data/columns';
import { hasEditor } from '../data/live';
import type { Estimate } from '../data/law';
import { functionId, type Subject } from '../data/page';
import { jointShown, modelShown, rowEstimate, shown as shownWith } from '../data/predict';
import type { Cluster, Findings, Interval, LoopFunctionRow, LoopRow, Model, Row } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { coloursOf } from '../overview/views';
import { Plot } from '../plot/plot';
import { fitSeries } from '../row/figures';
import { useFigure } from '../row/law';
import { InRun, LoopProduct } from '../row/why';
import type { LineCost } from './costs';
import {
  enteredText,
  callOf,
  loopsAround,
  loopsOf,
  loopsToShow,
  nestOf,
  placeText,
  tripsSentence,
  tripsThen,
} from './loops';
import { givenText, go, href, hrefHere, page, samePoint, target } from '../state/state';
import { CopyButton } from '../view/copy';
import { useKeys } from '../view/keys';
import {
  Doubts,
  EstimateText,
  GrowthBadge,
  GrowthText,
  LawText,
  Linked,
  Name,
  type Pair,
  Pairs,
} from '../view/parts';

/** Maximum length of a bound. Loops that depend on the data have bounds of dozens of products, which say little. */
const MOST_OF_BOUND = 80;

interface PanelProps {
  file: string;
  line: number;
  text: string | null;
  cost: LineCost | undefined;
}

export function Panel({ file, line, text, cost }: PanelProps) {
  const { findings, clusters } = page.value;
  const own = cost ? ownRow(findings, file, cost) : null;
  const subject = clusters[cost?.clusters[0] ?? -1];
  const cluster = subject?.row;
  const described = own ?? cluster;
  const loops = loopsAround(loopsOf(findings, file), line);
  const [name] = cost?.functions ?? [];
  const model = cluster?.models[modelShown(cluster)];
  const functions = [...(cost?.functions ?? []), ...loops.map((loop) => loop.function)];
  const call = callOf(findings, file, functions);
  return (
    <aside
      class="beside"
      style={coloursOf(
        name === undefined ? undefined : page.value.find('function', functionId({ name, file })),
      )}
      aria-label={`line ${line}`}
      aria-live="polite"
    >
      <header class="wrap">
        <h2>
          <Name text={file.split('/').pop() ?? file} columns={40} />:{line}
        </h2>
        {described && <GrowthText row={cluster ?? {}} outlook={shownWith(described)} />}
        <a class="close" href={hrefHere({ line: null })} aria-label="close (Esc)">
          ✕
        </a>
      </header>
      {text !== null && text.trim() !== '' && (
        <code class="line" translate={false}>
          {text.trim()}
        </code>
      )}
      {cost?.functions.slice(0, 3).map((f) => (
        <p key={f} class="fact">
          in <Linked to={href('function', functionId({ name: f, file }))} text={f} columns={40} />
        </p>
      ))}
      {(cost !== undefined || loops.length === 0) && <Numbers cost={cost} own={own} cluster={cluster} />}
      {loops.length === 0 && cluster?.decomposition && cluster.decomposition.function === name && (
        <p class="product">
          <GrowthBadge model={cluster.decomposition.entries.models[0]} /> calls ×{' '}
          <GrowthBadge model={cluster.decomposition.per_entry.models[0]} /> per call
        </p>
      )}
      {loopsToShow(loops, line).map((loop, _, shown) => (
        <LoopFacts key={placeText(loop)} nest={nestOf(loops, loop)} isAlone={shown.length === 1} />
      ))}
      {call && <CallFacts of={call} />}
      {subject?.row.costs && model && <Drawing key={subject.id} subject={subject} model={model} />}
      {cost && described && <Facts cost={cost} row={described} own={own} cluster={cluster} />}
      <div class="links wrap">
        {name !== undefined && (
          <a class="go" href={href('function', functionId({ name, file }))}>
            <span>
              Open <Name text={name} columns={30} />
            </span>{' '}
            <kbd>↵</kbd>
          </a>
        )}
        {hasEditor.value && <Editor file={file} line={line} />}
        <CopyButton label="Copy file:line" text={() => `${file}:${line}`} />
        <CopyButton label="Copy link" text={() => location.href} />
      </div>
    </aside>
  );
}

interface NumbersProps {
  cost: LineCost | undefined;
  own: Row | null;
  cluster: Cluster | undefined;
}

function Numbers({ cost, own, cluster }: NumbersProps) {
  const { total } = page.value.findings;
  if (!cost)
    return <p class="soft">Nothing was counted on this line: it is not code, or was not compiled.</p>;
  if (cost.cost === 0) return <p class="doubt">Counted, but never executed.</p>;
  const part = Math.min(cost.cost / total.max_cost, 1);
  return (
    <Pairs
      kind="nums wrap"
      of={[
        [
          'max cost',
          <>
            {number.cost(cost.cost)} <small class="soft">{number.share(part)}</small>
          </>,
        ],
        givenText() !== '' && [`at ${givenText()}`, <EstimateText estimate={then(cost, own, cluster)} />],
      ]}
    />
  );
}

/** Returns the cost at the target: by the line's own law, or else growing like its cluster. */
function then(cost: LineCost, own: Row | null, cluster: NumbersProps['cluster']): Estimate | null {
  if (own) return rowEstimate(own, target.value);
  if (!cluster) return { cost: cost.cost, ci: null, source: 'class' };
  const whole = rowEstimate(cluster, target.value);
  const part = whole && whole.cost > 0 ? cost.then / whole.cost : 0;
  const ci: Interval | null = whole?.ci ? [whole.ci[0] * part, whole.ci[1] * part] : null;
  return whole && extended(whole, { cost: cost.then, ci });
}

/** Draws the cost of the line's cluster with its law. */
function Drawing({ subject, model }: { subject: Subject; model: Model }) {
  const figure = useFigure(subject, model, jointShown(subject.row));
  const x = { label: figure.over, include: figure.drawn ?? [] };
  const plot = {
    ...{ id: 'line', link: 'line', title: 'Cost of its cluster', small: true, height: 150, x },
    summary: `The cost of what varies with the line over ${visible(figure.over)}.`,
    y: { label: 'cost' },
    series: fitSeries(figure),
    open: () => go(href('cluster', subject.id)),
    ahead: figure.data?.[1],
  };
  return <Plot plot={plot} view={{ x: null, y: null, zoom: null }} />;
}

function Facts({ cost, row, own, cluster }: NumbersProps & { cost: LineCost; row: Row | Cluster }) {
  const formula = row.law?.formula ?? '';
  const seen = shownWith(row);
  const isAlone = cluster !== undefined && isLineAlone(cluster, cost);
  return (
    <>
      <Pairs
        kind="facts"
        of={[
          formula !== '' && [
            'law',
            <>
              <LawText text={formula} most={120} />{' '}
              {!own && cluster && !isAlone && <span class="soft">of its cluster</span>}
            </>,
          ],
          cluster !== undefined && [
            isAlone ? 'cluster' : 'grows with',
            <>
              <Linked to={href('cluster', cluster.representative.name)} text={cluster.title} columns={48} />{' '}
              <span class="soft">{isAlone ? 'the line alone' : clusterText(cluster)}</span>
            </>,
          ],
          cost.clusters.length > 1 && ['and', number.plural(cost.clusters.length - 1, 'more cluster')],
        ]}
      />
      {seen && !seen.joint && <Doubts doubts={seen.model.doubts} />}
    </>
  );
}

/** Asks the server to open an editor, and shows its answer. */
function Editor({ file, line }: { file: string; line: number }) {
  const said = useSignal('');
  const open = async () => {
    said.value = '';
    try {
      const answer = await fetch('/api/open', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ file, line }),
      });
      said.value = answer.ok ? 'opened' : `not opened: ${visible((await answer.text()).slice(0, 300))}`;
    } catch {
      said.value = 'not opened: trend-prof stopped serving this page';
    }
  };
  useKeys({ e: () => void open() });
  return (
    <span class="copy">
      <button type="button" onClick={() => void open()}>
        Open in editor <kbd>e</kbd>
      </button>
      <span role="status">{said.value}</span>
    </span>
  );
}

/** Returns the row of the findings for exactly this line; `null` if there is none. */
export function ownRow(findings: Findings, file: string, cost: LineCost): Row | null {
  const line = findings.lines?.find((row) => row.file === file && row.line === cost.line);
  if (line) return line;
  const [only, ...others] = cost.locations;
  if (only === undefined || others.length > 0) return null;
  return findings.blocks?.find((row) => row.file === file && row.name === only) ?? null;
}

/** Returns true if the cluster is only this line. Its model is then the line's model. */
export function isLineAlone(cluster: Cluster, cost: LineCost): boolean {
  const [only] = cost.locations;
  return cost.locations.length === 1 && cluster.members.length === 1 && cluster.members[0]?.name === only;
}

/** Names the cluster whose numbers stand next to a line. */
export function clusterText(cluster: Cluster): string {
  return `cluster #${cluster.rank}, ${number.plural(cluster.members.length, 'location')}`;
}

/** Shows the facts about the innermost loop of a nest, which is the first. */
function LoopFacts({ nest, isAlone }: { nest: LoopRow[]; isAlone: boolean }) {
  const [innermost] = nest;
  if (!innermost) return null;
  const { in_run: run, notes } = innermost;
  const { points } = page.value.findings;
  const point = points.findIndex(({ values }) => samePoint(target.value, values));
  const then = tripsThen(innermost, point);
  return (
    <section class="summary loops-said">
      <LoopProduct loops={nest} />
      <Pairs
        kind="facts"
        of={[
          !isAlone && ['loop', placeText(innermost)],
          ['an activation makes', tripsSentence(innermost)],
          innermost.activations !== 0 && ['cost at most', <Bound sign="O" of={innermost.o} />],
          innermost.activations !== 0 && ['cost at least', <Bound sign="Ω" of={innermost.omega} />],
          ['entered', enteredText(innermost)],
          run !== undefined && ['in a run', <InRun run={run} />],
          then !== null && [
            `in a run at ${givenText()}`,
            run?.status === 'exact' ? number.cost(then.cost) : <EstimateText estimate={then} />,
          ],
          ...innermost.inputs.map((input): Pair => [visible(input.name), <InputFacts of={input} />]),
        ]}
      />
      {notes?.map((note) => (
        <p key={note} class="fact">
          {visible(note)}
        </p>
      ))}
      {run?.doubts && <Doubts doubts={run.doubts} />}
    </section>
  );
}

/** Shows how the cost of a call grows, and the trips of all of its loops. */
function CallFacts({ of }: { of: LoopFunctionRow }) {
  const { name, bounds, trips, trips_in_features, recurrence, never_ran: neverRan } = of;
  const text = (of: string) => <LawText text={of} most={MOST_OF_BOUND} />;
  return (
    <section class="summary loops-said">
      <Pairs
        kind="facts"
        of={[
          ['a call to', <Name text={name} columns={40} />],
          ['is', <Bound sign="O" of={bounds} />],
          neverRan > 0 && ['without', `${number.plural(neverRan, 'loop')} that never ran`],
          trips !== undefined && ['trips of its loops', text(trips)],
          trips_in_features !== undefined && ['in features', text(trips_in_features)],
          recurrence !== undefined && ['recurrence', text(recurrence)],
        ]}
      />
    </section>
  );
}

/** Shows `O(n·log n)`. A shortened bound keeps its brackets, and the tooltip has it in full. */
function Bound({ sign, of }: { sign: string; of: string }) {
  return (
    <span title={`${sign}(${visible(of)})`}>
      {sign}(<LawText text={of} most={MOST_OF_BOUND} />)
    </span>
  );
}

/** Shows the range of an input, and its relation to a feature. */
function InputFacts({ of: { changes, least, greatest, relation } }: { of: LoopRow['inputs'][number] }) {
  return (
    <>
      {changes === true && <span class="soft">changes from trip to trip</span>}
      {changes !== true && least !== undefined && greatest !== undefined && `${least} … ${greatest}`}
      {(relation?.status === 'exact' || relation?.status === 'decided') && (
        <span class="soft">
          {' '}
          {relation.status === 'exact' ? '=' : '≈'} {visible(relation.formula)}
        </span>
      )}
    </>
  );
}
