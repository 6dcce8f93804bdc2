/** Beside the code: what is known of the chosen line: its cost now and then, why, its law, where one goes on. */

import { useSignal } from '@preact/signals';

import { extended } from '../data/columns';
import { hasEditor } from '../data/live';
import { NO_EXTRA, functionId } from '../data/page';
import { modelShown, rowEstimate, shown as shownWith } from '../data/predict';
import type { Estimate } from '../data/models';
import type { Cluster, Model, Row, RowExtra } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { Plot } from '../plot/plot';
import { fitSeries } from '../row/figures';
import { useFigure } from '../row/law';
import { LoopProduct } from '../row/why';
import { go, href, hrefHere } from '../state/route';
import { page } from '../state/store';
import { givenText, target } from '../state/target';
import { CopyButton } from '../view/copy';
import { useKeys } from '../view/keys';
import { Doubts, EstimateText, GrowthBadge, GrowthText, LawText, Name, Nums } from '../view/parts';
import type { LineCost } from './costs';
import { LoopFacts } from './loop-facts';
import { loopsAround, loopsOf } from './loops';
import { isLineAlone, ownRow, whose } from './own';

interface PanelProps {
  file: string;
  line: number;
  text: string | null;
  cost: LineCost | undefined;
}

/** Whose law a line is described by: its own, else its cluster's. */
interface Described {
  row: Row | (Cluster & { law: Row['law'] });
  extra: RowExtra;
}

export function Panel({ file, line, text, cost }: PanelProps) {
  const { findings, data } = page.value;
  const own = cost ? ownRow(findings, file, cost) : null;
  const [first] = cost?.clusters ?? [];
  const cluster = findings.clusters[first ?? -1];
  const extra = data.clusters[first ?? -1] ?? NO_EXTRA;
  const described: Described | null = own
    ? { row: own, extra: NO_EXTRA }
    : cluster
      ? { row: cluster, extra }
      : null;
  const loops = loopsAround(loopsOf(findings, file), line);
  const [name] = cost?.functions ?? [];
  const shown = cluster ? modelShown(cluster) : -1;
  const model = cluster?.models[shown];
  return (
    <aside class="beside" aria-label={`line ${line}`} aria-live="polite">
      <header class="wrap">
        <h2>
          <Name text={file.split('/').pop() ?? file} columns={40} />:{line}
        </h2>
        {described && <GrowthText row={{ outlook: shownWith(described.row, described.extra), extra }} />}
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
          in{' '}
          <a href={href('function', functionId({ name: f, file }))}>
            <Name text={f} columns={40} />
          </a>
        </p>
      ))}
      <Numbers cost={cost} own={own} cluster={cluster} />
      {loops.length > 0 && <LoopProduct loops={loops} />}
      {loops.length === 0 && cluster?.decomposition && cluster.decomposition.function === name && (
        <p class="product">
          <GrowthBadge growth={cluster.decomposition.entries.models[0]?.growth} /> entries ×{' '}
          <GrowthBadge growth={cluster.decomposition.per_entry.models[0]?.growth} /> each
        </p>
      )}
      <LoopFacts loops={loops} />
      {cluster && model && extra.costs && (
        <Drawing key={cluster.rank} cluster={cluster} extra={extra} shown={shown} model={model} />
      )}
      {cost && described && <Facts cost={cost} {...described} own={own} cluster={cluster} />}
      <div class="links wrap">
        {name !== undefined && (
          <a class="go" href={href('function', functionId({ name, file }))}>
            <span>
              Open <Name text={name} columns={24} />
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
  cluster: (Cluster & { law: Row['law'] }) | undefined;
}

function Numbers({ cost, own, cluster }: NumbersProps) {
  const { total } = page.value.findings;
  if (!cost) return <p class="soft">Nothing was counted on this line: it is no code, or was not compiled.</p>;
  if (cost.cost === 0) return <p class="doubt">Counted, but no workload ever came here.</p>;
  const part = Math.min(cost.cost / total.max_cost, 1);
  return (
    <Nums
      of={[
        [
          'now, at most',
          <>
            {number.cost(cost.cost)} <small class="soft">{number.share(part)}</small>
          </>,
        ],
        [`at ${givenText()}`, <EstimateText estimate={then(cost, own, cluster)} />],
      ]}
    />
  );
}

/** The line's own law at the target, else as much as its cluster grows. */
function then(cost: LineCost, own: Row | null, cluster: NumbersProps['cluster']): Estimate | null {
  if (own) return rowEstimate(own, NO_EXTRA, target.value);
  if (!cluster) return { cost: cost.cost, ci: null, source: 'class' };
  const extra = page.value.data.clusters[cost.clusters[0] ?? -1] ?? NO_EXTRA;
  const whole = rowEstimate(cluster, extra, target.value);
  const part = whole && whole.cost > 0 ? cost.then / whole.cost : 0;
  return whole && { ...whole, cost: cost.then, ci: whole.ci && [whole.ci[0] * part, whole.ci[1] * part] };
}

interface DrawingProps {
  cluster: Cluster & { law: Row['law'] };
  extra: RowExtra;
  shown: number;
  model: Model;
}

/** What varies with the line, and its law. */
function Drawing({ cluster, extra, shown, model }: DrawingProps) {
  const name = cluster.representative.name;
  const figure = useFigure(extended(cluster, { name, extra, of: { cluster: name } }), shown, model);
  const x = { label: model.feature, ...(figure.drawn ? { include: figure.drawn } : {}) };
  const plot = {
    ...{ id: 'line', link: 'line', title: 'Cost of its cluster', small: true, height: 150, x },
    summary: `The cost of what varies with the line over ${visible(model.feature)}.`,
    y: { label: 'cost' },
    series: fitSeries(figure),
    open: () => go(href('cluster', name)),
    ...(figure.data ? { ahead: figure.data[1] } : {}),
  };
  return <Plot plot={plot} view={{ x: null, y: null, zoom: null }} />;
}

function Facts({ cost, row, extra, own, cluster }: Described & NumbersProps & { cost: LineCost }) {
  const formula = row.law?.formula ?? '';
  const seen = shownWith(row, extra);
  return (
    <>
      <dl class="facts">
        {formula !== '' && (
          <>
            <dt>law</dt>
            <dd>
              <LawText text={formula} most={120} />{' '}
              {!own && cluster && !isLineAlone(cluster, cost) && <span class="soft">of its cluster</span>}
            </dd>
          </>
        )}
        {cluster && (
          <>
            <dt>{isLineAlone(cluster, cost) ? 'cluster' : 'moves with'}</dt>
            <dd>
              <a href={href('cluster', cluster.representative.name)}>
                <Name text={page.value.title(cluster)} columns={48} />
              </a>{' '}
              <span class="soft">{isLineAlone(cluster, cost) ? 'the line alone' : whose(cluster)}</span>
            </dd>
          </>
        )}
        {cost.clusters.length > 1 && (
          <>
            <dt>and</dt>
            <dd>{number.plural(cost.clusters.length - 1, 'more cluster')}</dd>
          </>
        )}
      </dl>
      {seen && <Doubts doubts={seen.model.doubts} />}
    </>
  );
}

/** Asks the trend-prof that serves the page to open an editor; its answer is said where it fails. */
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
      said.value = 'not opened: trend-prof no longer serves this page';
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
