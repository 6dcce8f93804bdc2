/** Beside the code: what is known of the chosen line, and the clusters that it is in. */

import { lawOf } from '../data/line';
import type { Estimate } from '../data/models';
import { shown } from '../data/predict';
import type { Cluster, Row } from '../data/types';
import * as number from '../format/number';
import { functionId, NO_EXTRA } from '../data/page';
import { Mini } from '../plot/mini';
import { href, hrefHere } from '../state/route';
import { page } from '../state/store';
import { givenText } from '../state/target';
import { Doubts, EstimateText, GrowthText, LawText, Name } from '../view/parts';
import type { LineCost } from './costs';
import { LineLinks } from './links';
import { LoopFacts } from './loop-facts';
import { loopsAround, loopsOf } from './loops';
import { isLineAlone, ownRow, whose } from './own';

/** Clusters of one line that are described; most lines have one. */
const MOST_CLUSTERS = 3;

interface PanelProps {
  file: string;
  line: number;
  text: string | null;
  cost: LineCost | undefined;
}

export function Panel({ file, line, text, cost }: PanelProps) {
  const { findings } = page.value;
  const own = cost ? ownRow(findings, file, cost) : null;
  return (
    <aside class="beside" aria-label={`line ${line}`}>
      <header>
        <h2>
          <Name text={file.split('/').pop() ?? file} columns={40} />:{line}
        </h2>
        <a class="close" href={hrefHere({ line: null })} aria-label="close (Esc)">
          ✕
        </a>
      </header>
      {text !== null && text.trim() !== '' && (
        <pre class="quoted">
          <code translate={false}>{text.trim()}</code>
        </pre>
      )}
      <LineSaid cost={cost} />
      {cost?.functions.slice(0, 3).map((f) => (
        <p key={f} class="fact">
          in{' '}
          <a href={href('function', functionId({ name: f, file }))}>
            <Name text={f} columns={40} />
          </a>
        </p>
      ))}
      <LoopFacts loops={loopsAround(loopsOf(findings, file), line)} />
      {own && <OwnSummary row={own} />}
      {cost?.clusters.slice(0, MOST_CLUSTERS).map((i) => {
        const cluster = findings.clusters[i];
        const alone = cluster !== undefined && isLineAlone(cluster, cost);
        return cluster && <ClusterSummary key={i} cluster={cluster} index={i} alone={alone} />;
      })}
      {cost && cost.clusters.length > MOST_CLUSTERS && (
        <p class="soft">and in {number.plural(cost.clusters.length - MOST_CLUSTERS, 'more cluster')}</p>
      )}
      <LineLinks file={file} line={line} />
    </aside>
  );
}

function LineSaid({ cost }: { cost: LineCost | undefined }) {
  const { total } = page.value.findings;
  if (!cost) return <p class="soft">Nothing was counted on this line: it is no code, or was not compiled.</p>;
  if (cost.cost === 0) return <p class="doubt">Counted, but no workload ever came here.</p>;
  return (
    <p>
      <strong>{number.cost(cost.cost)}</strong> at most in a run
      {total.max_cost > 0 && (
        <span class="soft" title="the line's most and the program's most; they need not be of the same run">
          {' '}
          – {number.share(Math.min(cost.cost / total.max_cost, 1))} of the costliest
        </span>
      )}
      {cost.clusters.length === 0 && '; it hardly varies with the workloads'}.
    </p>
  );
}

/** What is known of the line alone. */
function OwnSummary({ row }: { row: Row }) {
  const seen = shown(row, NO_EXTRA);
  if (!seen) return null;
  return (
    <section class="summary">
      <h3>The line itself</h3>
      <p class="fact">
        <GrowthText row={{ outlook: { ...seen, joint: null }, extra: NO_EXTRA }} />
      </p>
      <dl class="facts">
        <LawFacts formula={row.law?.formula ?? ''} />
        <PredictionFact estimate={seen.estimate} whose="" />
      </dl>
      <Doubts doubts={seen.model.doubts} />
    </section>
  );
}

/** The essentials of a cluster, and the way to all of it. `alone`: it is nothing but the line. */
function ClusterSummary({ cluster, index, alone }: { cluster: Cluster; index: number; alone: boolean }) {
  const extra = page.value.data.clusters[index] ?? NO_EXTRA;
  const seen = shown(cluster, extra);
  return (
    <section class="summary">
      <h3>
        <a href={href('cluster', cluster.representative.name)}>
          <span class="chip">#{cluster.rank}</span> <Name text={page.value.title(cluster)} columns={48} />
        </a>
      </h3>
      <p class="soft fact">{alone ? 'This line alone is the cluster.' : `All this is ${whose(cluster)}.`}</p>
      <p class="fact">
        <GrowthText row={{ outlook: seen, extra }} />
      </p>
      {seen && extra.costs && (
        <Mini
          x={page.value.featureValues(seen.model.feature)}
          y={extra.costs}
          law={lawOf(seen.model, seen.extra, cluster.law)}
          label={`cost of the cluster against ${seen.model.feature}, logarithmic`}
        />
      )}
      <dl class="facts">
        <LawFacts formula={extra.formula} />
        <dt>cost so far</dt>
        <dd>
          {number.cost(cluster.max_cost)} ({number.share(cluster.share_of_largest)})
        </dd>
        {seen && <PredictionFact estimate={seen.estimate} whose={alone ? '' : 'of its cluster'} />}
        <dt>locations</dt>
        <dd>{cluster.members.length.toLocaleString('en-US')}</dd>
      </dl>
      {seen && <Doubts doubts={seen.model.doubts} />}
    </section>
  );
}

function LawFacts({ formula }: { formula: string }) {
  if (formula === '') return null;
  return (
    <>
      <dt>law</dt>
      <dd>
        <LawText text={formula} most={120} />
      </dd>
    </>
  );
}

function PredictionFact({ estimate, whose }: { estimate: Estimate | null; whose: string }) {
  return (
    <>
      <dt>at {givenText()}</dt>
      <dd>
        <EstimateText estimate={estimate} /> {whose !== '' && <span class="soft whose">{whose}</span>}
      </dd>
    </>
  );
}
