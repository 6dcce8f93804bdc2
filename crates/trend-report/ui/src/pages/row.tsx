/** The page of a cluster or a function: its cost, its growth, the reasons, and its lines. */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import { isOfRow } from '../data/models';
import type { Kind, Subject } from '../data/page';
import { formulaShown, hiddenAtTarget, jointShown, modelShown } from '../data/predict';
import type { Joint, Member, Model } from '../data/types';
import * as number from '../format/number';
import { plural } from '../format/number';
import { capitalized, shorten, visible } from '../format/text';
import { CodeLine } from '../listing/cell-code';
import { JointLaws, Laws, NextRuns, Predictions } from '../row/beside';
import { coloursOf, markOf } from '../overview/views';
import { useParam } from '../plot/state';
import { LawFigures, useFigure } from '../row/law';
import { Crossings, membersOf, Places } from '../row/places';
import { command, type Outlook, outlooks } from '../row/shown';
import { Why } from '../row/why';
import {
  feature,
  givenText,
  go,
  href,
  hrefHere,
  page,
  setParams,
  sizesForCommands,
  target,
} from '../state/state';
import { Select } from '../view/choice';
import { Foot } from '../view/copy';
import {
  Badge,
  ClassText,
  Doubts,
  EstimateText,
  GrowthBadge,
  GrowthText,
  LawText,
  Name,
  Pairs,
} from '../view/parts';
import { Unknown } from '../view/unknown';

export const Cluster = ({ id }: { id: string }) => <RowPage kind="cluster" id={id} />;
export const FunctionPage = ({ id }: { id: string }) => <RowPage kind="function" id={id} />;

function RowPage({ kind, id }: { kind: Kind; id: string }) {
  const subject = page.value.find(kind, id);
  return subject ? <KnownRow subject={subject} /> : <Unknown view={kind} id={id} />;
}

const PANEL = 'model-panel';

function KnownRow({ subject }: { subject: Subject }) {
  const { kind, row } = subject;
  const { data, findings } = page.value;
  const shown = modelShown(row);
  const model = row.models[shown];
  const members = useMemo(() => membersOf(page.value, subject), [subject]);
  const all = useMemo(() => outlooks(row), [row, target.value, page.value]);
  const several = row.models.length > 1;
  const of = jointShown(row) ? TOGETHER : (model?.feature ?? '');
  return (
    <div class="row-page" style={coloursOf(subject)}>
      <Head subject={subject} shown={shown} here={all.find((one) => one.asked)} />
      {several && <FeatureTabs row={row} shown={shown} panel={PANEL} />}
      {model && (
        <div id={PANEL} {...(several ? { role: 'tabpanel' as const, 'aria-label': visible(of) } : {})}>
          <Evidence subject={subject} model={model} all={all} members={members} />
        </div>
      )}
      {kind === 'cluster' && <Crossings id={subject.id} />}
      <Places members={members} called={kind === 'function' ? subject : undefined} />
      <Foot
        words={() => {
          const feature = findings.features.length > 1 ? (model?.feature ?? null) : null;
          return command(data.study, subject.name, feature, sizesForCommands());
        }}
      >
        {plural(findings.workloads.count, 'run')} · counts {row.exact ? 'exact' : 'rounded'} ·{' '}
        {findings.level * 100} % intervals
      </Foot>
    </div>
  );
}

interface EvidenceProps {
  subject: Subject;
  model: Model;
  all: Outlook[];
  members: Member[];
}

function Evidence({ subject, model, all, members }: EvidenceProps) {
  const { row } = subject;
  const joint = jointShown(row);
  const figure = useFigure(subject, model, joint);
  const inFeature = useFigure(subject, model);
  const chosen = page.value.find(subject.kind, useParam('with') ?? '');
  const otherModel = chosen === subject || joint ? undefined : modelIn(chosen, model.feature);
  const other = otherModel && chosen;
  const otherFigure = useFigure(other ?? subject, otherModel ?? model, null, other !== undefined);
  // The second colour is the row's own if the row has the second mark.
  const tone = model.split || markOf(subject) === 2 ? 'third' : 'other';
  const beside = other ? ({ name: other.title, figure: otherFigure, tone } as const) : null;
  const most = (a: Member | undefined, b: Member) => (b.max_cost > (a?.max_cost ?? -1) ? b : a);
  const costliest = useMemo(() => members.reduce<Member | undefined>(most, undefined), [members]);
  return (
    <>
      <div class="row-grid">
        <div>
          <LawFigures
            figure={figure}
            beside={beside}
            controls={!joint && <Beside subject={subject} other={other} feature={model.feature} />}
          />
          <Doubts doubts={figure.model.doubts} />
          <Words sentences={(feature.value === null && row.sentences) || (model.sentences ?? [])} />
        </div>
        <div class="row-side">
          <h2>Predictions</h2>
          <Predictions outlooks={all} />
          {joint ? (
            <JointLaws joint={joint} />
          ) : (
            <Laws
              model={model}
              law={isOfRow(row, model) ? row.law : null}
              here={all.find((one) => one.asked)}
            />
          )}
          {!joint && model.next && <NextRuns next={model.next} />}
        </div>
      </div>
      <Why subject={subject} figure={inFeature} costliest={costliest} />
    </>
  );
}

/** Maximum number of rows that are offered for the chart. */
const MOST_OTHERS = 30;

const modelIn = (subject: Subject | undefined, feature: string) =>
  subject?.row.models.find((one) => one.feature === feature);

interface BesideProps {
  subject: Subject;
  other: Subject | undefined;
  /** The feature on the chart's axis. */
  feature: string;
}

/** Lets the reader choose another row for the chart. */
function Beside({ subject, other, feature }: BesideProps) {
  const first = page.value
    .all(subject.kind)
    .filter((one) => one !== subject && one !== other && modelIn(one, feature))
    .slice(0, MOST_OTHERS);
  const rows = [...(other ? [other] : []), ...first];
  if (rows.length === 0) return null;
  const choices = rows.map(({ id, title }) => ({ key: id, text: shorten(title, 40) }));
  return (
    <Select
      label="Another row in the chart"
      of={[{ key: '', text: other ? 'This row alone' : 'Add a row …' }, ...choices]}
      chosen={other?.id ?? ''}
      choose={(id) => setParams({ with: id === '' ? null : id }, 'push')}
    />
  );
}

/** Shows the model in whole sentences, as the terminal does. */
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

interface HeadProps {
  subject: Subject;
  /** Position of the model that the row is shown with. */
  shown: number;
  here: Outlook | undefined;
}

function Head({ subject, shown, here }: HeadProps) {
  const { kind, fullTitle, file, line, row } = subject;
  const all = page.value.all(kind);
  const at = all.indexOf(subject);
  const others = row.share_of_others;
  const hidden = hiddenAtTarget(row);
  return (
    <header class="row-head">
      <nav class="where wrap" aria-label="Where">
        <span>
          <a href={href('overview')}>Overview</a> › <a href={href(`${kind}s`)}>{capitalized(kind)}s</a> ›{' '}
          {at + 1} of {number.grouped(all.length)}
        </span>
        <Neighbour of={all[at - 1]}>
          ← <kbd>k</kbd>
        </Neighbour>
        <Neighbour of={all[at + 1]}>
          <kbd>j</kbd> →
        </Neighbour>
      </nav>
      <h1>
        <Name text={fullTitle} columns={90} />
      </h1>
      <div class="head-law wrap">
        <LawWords row={row} shown={shown} />
        <Pairs
          kind="nums wrap"
          of={[
            ['most in a run', number.cost(row.max_cost)],
            [`at ${givenText()}`, <EstimateText estimate={here?.estimate ?? null} />],
            [
              'share now',
              <>
                {number.share(row.share_now)}{' '}
                {others !== undefined && <small class="soft">up to {number.share(others)}</small>}
              </>,
            ],
            ['share then', typeof here?.share === 'number' ? number.share(here.share) : '–'],
          ]}
        />
      </div>
      {row.note !== undefined && (
        <p class="noted">
          <b>Note:</b> <bdi>{visible(row.note)}</bdi>
        </p>
      )}
      {hidden && (
        <p class="soft">
          <bdi>
            {hidden.line} {hidden.way}
          </bdi>
        </p>
      )}
      {file !== '' && (
        <p class="place wrap">
          <a href={href('source', file, { line: line > 0 ? line : null })}>
            <Name text={line > 0 ? `${file}:${line}` : file} columns={90} />
          </a>
          <CodeLine file={file} line={line} />
        </p>
      )}
    </header>
  );
}

function Neighbour({ of, children }: { of: Subject | undefined; children: ComponentChildren }) {
  return of ? <a href={href(of.kind, of.id)}>{children}</a> : null;
}

/** Shows the law as a formula, its growth, and if the growth is decided. */
function LawWords({ row, shown }: { row: Subject['row']; shown: number }) {
  const model = row.models[shown];
  if (!model) return <p class="law">No model in any feature.</p>;
  const joint = jointShown(row);
  const growth = joint ? null : model.growth;
  const decided = joint?.law.decided ?? growth?.decided ?? true;
  return (
    <p class="law">
      <LawText text={formulaShown(row, { model, joint })} />{' '}
      <GrowthText row={row} outlook={{ model, joint }} />{' '}
      <span class="soft">
        {visible(page.value.findings.unit)}; {joint && `R² ${number.r2(joint.r2)}, `}
        {decided ? (
          'decided'
        ) : (
          <ClassText text={`${visible(growth?.verdict ?? among(joint))}; the law is an average`} />
        )}
      </span>
    </p>
  );
}

/** Writes `undecided between 3 laws`, or `undecided` if only one is known. */
function among(joint: Joint | null): string {
  const laws = joint?.laws.length ?? 0;
  return laws > 1 ? `undecided between ${laws} laws` : 'undecided';
}

/** Title of the tab for a law in several features. */
const TOGETHER = 'together';

interface FeatureTabsProps {
  row: Subject['row'];
  shown: number;
  panel: string;
}

/** Shows a tab per feature with the R² of its model, after the tab of the law in several features. */
function FeatureTabs({ row, shown, panel }: FeatureTabsProps) {
  const { joint, models } = row;
  const tabs = [...(joint ? [null] : []), ...models];
  const selected = jointShown(row) ? 0 : shown + tabs.length - models.length;
  const address = (tab: Model | null) => hrefHere({ feature: tab?.feature ?? null });
  const key = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const to = (selected + by + tabs.length) % tabs.length;
    const next = tabs[to];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(address(next));
    (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  return (
    <div class="tabs wrap" role="tablist" aria-label="features" onKeyDown={key}>
      {tabs.map((tab, i) => (
        <a
          key={tab?.feature ?? ''}
          role="tab"
          class="wrap"
          href={address(tab)}
          aria-selected={i === selected}
          aria-controls={panel}
          tabIndex={i === selected ? 0 : -1}
        >
          {tab ? <Name text={tab.feature} columns={30} /> : TOGETHER}
          <span class="detail">R² {worth(tab ? tab.power_law : joint)}</span>
          {tab ? tab.growth && <GrowthBadge model={tab} /> : <JointBadge row={row} />}
        </a>
      ))}
    </div>
  );
}

const worth = (model: { r2: number } | null | undefined) => (model ? number.r2(model.r2) : '–');

const JointBadge = ({ row }: { row: Subject['row'] }) => (
  <Badge text={row.growth ?? ''} warmth={row.warmth} open={row.joint?.law.decided === false} />
);
