/** How the cost comes about: two trends, entries times cost per entry, several features together. */

import type { Decomposition, Joint, Model, Split } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { functionId } from '../data/page';
import { href } from '../state/route';
import { page } from '../state/store';
import { ModelCells, ModelHeads, NumberHead } from '../view/model-cells';
import { Doubts, Formula, GrowthBadge, LawText, Name, Section } from '../view/parts';

/** Workloads of a trend that are named without being asked. */
const NAMED = 6;

export function Trends({ split, feature }: { split: Split; feature: string }) {
  return (
    <Section title={`${split.trends.length} trends`}>
      <p>
        One law does not describe all workloads.{' '}
        {split.told_apart_by !== null || split.rule !== null ? (
          <>
            The trends are told apart by <Name text={split.told_apart_by ?? ''} />
            {split.rule !== null && (
              <>
                : <Name text={split.rule} />
              </>
            )}
            .
          </>
        ) : (
          'Nothing that is known of the workloads tells the trends apart: another feature may.'
        )}
      </p>
      <div class="cards">
        {split.trends.map((trend, i) => (
          <div class="card" key={i}>
            <h3>
              Trend {i + 1} <GrowthBadge growth={trend.growth} />
            </h3>
            <p>
              {trend.power_law ? (
                <>
                  <Formula law={trend.power_law} feature={feature} />{' '}
                  <span class="soft">
                    exponent {trend.power_law.b_ci ? number.exponentInterval(trend.power_law.b_ci) : '?'}, R²{' '}
                    {number.r2(trend.power_law.r2)}, {number.plural(trend.power_law.points, 'point')}
                  </span>
                </>
              ) : (
                'no model'
              )}
            </p>
            <WorkloadNames names={trend.workloads} />
          </div>
        ))}
      </div>
    </Section>
  );
}

function WorkloadNames({ names }: { names: string[] }) {
  const link = (name: string) => (
    <li key={name}>
      <a href={href('workloads', '', { selected: name })}>
        <Name text={name} columns={30} />
      </a>
    </li>
  );
  return (
    <>
      <ul class="names wrap">
        {names.slice(0, NAMED).map(link)}
        {names.length > NAMED && <li class="soft">… {number.plural(names.length, 'workload')}</li>}
      </ul>
    </>
  );
}

export function Factors({ parts, feature }: { parts: Decomposition; feature: string }) {
  const rows: [string, Decomposition['entries']][] = [
    ['entries', parts.entries],
    ['cost per entry', parts.per_entry],
  ];
  const doubts = rows.flatMap(([name, factor]) => {
    const model = modelIn(factor.models, feature);
    return (model?.doubts ?? []).map((d) => ({ ...d, message: `${name}: ${d.message}` }));
  });
  const id = functionId({ name: parts.function, file: parts.file });
  return (
    <Section title="Entries × cost per entry">
      <p>
        How often{' '}
        {page.value.functionIndex.has(id) ? (
          <a href={href('function', id)}>
            <Name text={parts.function} />
          </a>
        ) : (
          <Name text={parts.function} />
        )}{' '}
        is entered (
        <a href={href('source', parts.file, { line: parts.line })}>
          <Name text={`${parts.file}:${parts.line}`} />
        </a>
        ), and what one entry costs here.
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="entries and cost per entry">
        <table>
          <thead>
            <tr>
              <th scope="col">factor</th>
              <NumberHead>at most</NumberHead>
              <ModelHeads />
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, factor]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{number.cost(factor.max)}</td>
                <ModelCells model={modelIn(factor.models, feature)} feature={feature} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Doubts doubts={doubts} />
    </Section>
  );
}

function modelIn(models: Model[], feature: string): Model | undefined {
  return models.find((m) => m.feature === feature);
}

export function JointModel({ joint }: { joint: Joint }) {
  const { law } = joint;
  return (
    <Section title={`The law, in ${law.features.map((name) => visible(name).slice(0, 40)).join(' and ')}`}>
      <p class={law.decided ? 'model' : 'model undecided-text'}>
        cost = <LawText text={law.formula} />
      </p>
      <p class="soft">
        {law.decided ? 'decided' : 'undecided'}, support {Math.round(joint.support * 100)} %, R²{' '}
        {number.r2(joint.r2)}
      </p>
    </Section>
  );
}
