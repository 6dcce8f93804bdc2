/** The page of a cluster, and that of a function: what it costs, how that grows, why, and which lines it is. */

import { useMemo } from 'preact/hooks';

import { extended } from '../data/columns';
import { isOfRow } from '../data/models';
import { namesake } from '../data/page';
import { modelShown } from '../data/predict';
import type { Member, Model } from '../data/types';
import { plural } from '../format/number';
import { visible } from '../format/text';
import { Decide, Laws, Predictions } from '../row/beside';
import { FeatureTabs, Head } from '../row/head';
import { LawFigures, useFigure } from '../row/law';
import { Crossings } from '../row/overtakes';
import { membersOf, Places } from '../row/places';
import { command, outlooks, type Outlook, type RowFacts } from '../row/shown';
import { Why } from '../row/why';
import { page } from '../state/store';
import { sizesForCommands, target } from '../state/target';
import { CopyButton } from '../view/copy';
import { Doubts } from '../view/parts';
import { Unknown } from '../view/unknown';

interface Parts {
  title: string;
  file: string;
  line: number;
  row: RowFacts;
  members: Member[];
}

export function Cluster({ id }: { id: string }) {
  const found = page.value.cluster(id);
  const parts = useMemo((): Parts | null => {
    if (!found) return null;
    const { cluster, extra } = found;
    const name = cluster.representative.name;
    const { factors } = extra;
    const first = namesake(cluster);
    return {
      title: page.value.title(cluster),
      file: first?.file ?? '',
      line: first?.line ?? 0,
      row: extended(cluster, { name, extra, factors, of: { cluster: name } }),
      members: cluster.members,
    };
  }, [found?.cluster, found?.extra]);
  if (!parts) return <Unknown view="cluster" id={id} />;
  return <RowPage view="cluster" id={id} {...parts} />;
}

export function FunctionPage({ id }: { id: string }) {
  const found = page.value.function(id);
  const parts = useMemo((): Parts | null => {
    if (!found) return null;
    const { row, extra } = found;
    const { findings, data } = page.value;
    // What is known of a part of the function is taken apart here.
    const at = findings.clusters.findIndex(
      ({ decomposition: d }) => d?.function === row.name && d.file === row.file,
    );
    const { decomposition } = findings.clusters[at] ?? {};
    const factors = data.clusters[at]?.factors;
    return {
      title: row.name,
      file: row.file,
      line: row.line,
      row: extended(row, { extra, decomposition, factors, of: { location: row.name, file: row.file } }),
      members: membersOf(page.value, row.name, row.file),
    };
  }, [found?.row, found?.extra]);
  if (!parts) return <Unknown view="function" id={id} />;
  return <RowPage view="function" id={id} {...parts} />;
}

const PANEL = 'model-panel';

function RowPage({ view, id, ...parts }: Parts & { view: 'cluster' | 'function'; id: string }) {
  const { row, members } = parts;
  const { data, findings } = page.value;
  const shown = modelShown(row);
  const model = row.models[shown];
  const all = useMemo(() => outlooks(row), [row, target.value, page.value]);
  const here = all.find((one) => one.asked);
  const several = row.models.length > 1;
  const functions = useMemo(() => [...new Set(members.map((m) => m.function))], [members]);
  return (
    <div class="row-page">
      <Head view={view} id={id} {...parts} shown={shown} here={here} />
      {several && <FeatureTabs models={row.models} shown={shown} panel={PANEL} />}
      {model && (
        <div
          id={PANEL}
          {...(several ? { role: 'tabpanel' as const, 'aria-label': visible(model.feature) } : {})}
        >
          <Evidence row={row} shown={shown} model={model} all={all} members={members} />
        </div>
      )}
      {view === 'cluster' && <Crossings id={id} />}
      <Places members={members} functions={view === 'function' ? functions : []} />
      <p class="foot wrap">
        <span>
          {plural(findings.workloads.count, 'run')} · counts {row.extra.exact ? 'exact' : 'rounded'} ·{' '}
          {findings.level * 100} % intervals
        </span>
        <CopyButton label="Copy link" text={() => location.href} />
        <CopyButton
          label="Copy command line"
          text={() => {
            const feature = findings.features.length > 1 ? (model?.feature ?? null) : null;
            return command(data.study, row.name, feature, sizesForCommands());
          }}
        />
      </p>
    </div>
  );
}

interface EvidenceProps {
  row: RowFacts;
  shown: number;
  model: Model;
  all: Outlook[];
  members: Member[];
}

function Evidence({ row, shown, model, all, members }: EvidenceProps) {
  const figure = useFigure(row, shown, model);
  const here = all.find((one) => one.asked);
  const costliest = useMemo(
    () =>
      members.reduce<Member | undefined>(
        (most, m) => (m.max_cost > (most?.max_cost ?? -1) ? m : most),
        undefined,
      ),
    [members],
  );
  return (
    <>
      <div class="row-grid">
        <div>
          <LawFigures figure={figure} />
          <Doubts doubts={model.doubts} />
          <Words sentences={row.extra.models[shown]?.sentences ?? []} />
        </div>
        <div class="row-side">
          <h2>Predictions</h2>
          <Predictions outlooks={all} />
          <Laws model={model} law={isOfRow(row, model) ? row.law : null} here={here} />
          {model.next && <Decide next={model.next} />}
        </div>
      </div>
      <Why row={row} figure={figure} costliest={costliest} />
    </>
  );
}

/** The model in whole sentences, as the terminal says them. */
function Words({ sentences }: { sentences: string[] }) {
  if (sentences.length === 0) return null;
  return (
    <details class="words">
      <summary>In words</summary>
      {sentences.map((sentence, i) => (
        <p key={i}>
          <bdi>{visible(sentence)}</bdi>
        </p>
      ))}
    </details>
  );
}
