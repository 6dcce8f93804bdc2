/** The first lines of a row's page: where it is, its law with how it grows, what it costs now and at the target. */

import type { ComponentChildren } from 'preact';

import { isOfRow } from '../data/models';
import { hiddenAtTarget } from '../data/predict';
import type { Model } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { go, href, hrefHere } from '../state/route';
import { feature, page } from '../state/store';
import { givenText } from '../state/target';
import { ClassText, EstimateText, GrowthBadge, GrowthText, LawText, Name, Nums } from '../view/parts';
import { idsOf } from '../view/neighbours';
import { CodeLine } from '../listing/cell-code';
import type { Outlook, RowFacts } from './shown';

interface HeadProps {
  view: 'cluster' | 'function';
  id: string;
  title: string;
  file: string;
  line: number;
  row: RowFacts;
  shown: number;
  here: Outlook | undefined;
}

const LISTS = { cluster: ['clusters', 'Clusters'], function: ['functions', 'Functions'] } as const;

export function Head({ view, id, title, file, line, row, shown, here }: HeadProps) {
  const ids = idsOf(view);
  const at = ids.indexOf(id);
  const [list, name] = LISTS[view];
  const others = row.extra.share_of_others;
  const hidden = hiddenAtTarget(row, row.extra);
  return (
    <header class="row-head">
      <nav class="where wrap" aria-label="Where">
        <span>
          <a href={href('overview')}>Overview</a> › <a href={href(list)}>{name}</a> › {at + 1} of{' '}
          {number.grouped(ids.length)}
        </span>
        <Neighbour view={view} id={ids[at - 1]}>
          ← <kbd>k</kbd>
        </Neighbour>
        <Neighbour view={view} id={ids[at + 1]}>
          <kbd>j</kbd> →
        </Neighbour>
      </nav>
      <h1>
        <Name text={title} columns={90} />
      </h1>
      <div class="head-law">
        <LawWords row={row} shown={shown} />
        <Nums
          of={[
            [
              'now, at most',
              <>
                {number.cost(row.max_cost)}{' '}
                <small class="soft">
                  {number.share(row.share_of_largest)}
                  {others !== undefined && `, of others up to ${number.share(others)}`}
                </small>
              </>,
            ],
            [`at ${givenText()}`, <EstimateText estimate={here?.estimate ?? null} />],
            ['share then', typeof here?.share === 'number' ? number.share(here.share) : '–'],
          ]}
        />
      </div>
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

function Neighbour(props: { view: string; id: string | undefined; children: ComponentChildren }) {
  if (props.id === undefined) return null;
  return <a href={href(props.view, props.id)}>{props.children}</a>;
}

/** The law as a formula, how it grows, and how sure that is. Of an undecided one the likeliest class, as an estimate. */
function LawWords({ row, shown }: { row: RowFacts; shown: number }) {
  const model = row.models[shown];
  if (!model) return <p class="law">No feature has a model of this row.</p>;
  const joint = feature.value === null ? (row.joint ?? null) : null;
  const growth = joint ? null : model.growth;
  const decided = joint?.law.decided ?? growth?.decided ?? true;
  const named = growth?.classes.filter((c) => c.named) ?? [];
  const likeliest = named.reduce((best, c) => (c.support > (best?.support ?? 0) ? c : best), named[0]);
  // The whole law; of a power law with as many digits as its interval supports.
  const inWhole = joint?.law ?? (isOfRow(row, model) && model.source !== 'power_law' ? row.law : null);
  const own = inWhole?.formula ?? row.extra.models[shown]?.formula ?? '';
  const outlook = { model, joint, extra: row.extra.models[shown], estimate: null };
  return (
    <p class="law">
      <LawText text={decided || !likeliest ? own : `≈ ${likeliest.formula}`} />{' '}
      <GrowthText row={{ outlook, extra: row.extra }} />{' '}
      <span class="soft">
        {visible(page.value.findings.unit)}; {joint && `R² ${number.r2(joint.r2)}, `}
        {decided ? (
          'decided'
        ) : (
          <ClassText text={`${visible(growth?.verdict ?? 'undecided')}; the law is their average`} />
        )}
      </span>
    </p>
  );
}

/** A tab per feature, with what its model is worth. */
export function FeatureTabs({ models, shown, panel }: { models: Model[]; shown: number; panel: string }) {
  const key = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const to = (shown + by + models.length) % models.length;
    const next = models[to];
    if (by === 0 || !next) return;
    event.preventDefault();
    event.stopPropagation();
    go(hrefHere({ feature: next.feature }));
    (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  return (
    <div class="tabs wrap" role="tablist" aria-label="features" onKeyDown={key}>
      {models.map((model, i) => (
        <a
          key={model.feature}
          role="tab"
          class="wrap"
          href={hrefHere({ feature: model.feature })}
          aria-selected={i === shown}
          aria-controls={panel}
          tabIndex={i === shown ? 0 : -1}
        >
          <Name text={model.feature} columns={30} />
          <span class="detail">R² {model.power_law ? number.r2(model.power_law.r2) : '–'}</span>
          {model.growth && <GrowthBadge growth={model.growth} />}
        </a>
      ))}
    </div>
  );
}
