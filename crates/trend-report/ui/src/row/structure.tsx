/** How the cost comes about: entries times cost per entry, several features together. */

import type { Decomposition, Joint, Model } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { functionId } from '../data/page';
import { href } from '../state/route';
import { page } from '../state/store';
import { ModelCells, ModelHeads, NumberHead } from '../view/model-cells';
import { Doubts, LawText, Name, Section } from '../view/parts';

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
