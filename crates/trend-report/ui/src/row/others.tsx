/** The models of a row in all features, side by side. */

import type { Model, RowExtra } from '../data/types';
import { estimate } from '../data/models';
import * as number from '../format/number';
import { hrefHere } from '../state/route';
import { targetOf } from '../state/store';
import { ModelCells, ModelHeads, NumberHead } from '../view/model-cells';
import { EstimateText, Name, Section } from '../view/parts';

export function OtherModels({ models, extra, shown }: { models: Model[]; extra: RowExtra; shown: number }) {
  if (models.length < 2) return null;
  return (
    <Section title="Models in all features">
      <div class="scroll" tabIndex={0} role="region" aria-label="models in all features">
        <table>
          <thead>
            <tr>
              <th scope="col">feature</th>
              <ModelHeads />
              <NumberHead>zeros left out</NumberHead>
              <th scope="col">prediction</th>
              <NumberHead>warnings</NumberHead>
            </tr>
          </thead>
          <tbody>
            {models.map((model, i) => (
              <Row key={model.feature} model={model} extra={extra.models[i]} shown={i === shown} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Row({
  model,
  extra,
  shown,
}: {
  model: Model;
  extra: RowExtra['models'][number] | undefined;
  shown: boolean;
}) {
  const law = model.power_law;
  const at = targetOf(model.feature);
  return (
    <tr class={shown ? 'shown' : ''}>
      <th scope="row">
        <a href={hrefHere({ feature: model.feature })} aria-current={shown ? 'true' : undefined}>
          <Name text={model.feature} columns={30} />
        </a>
      </th>
      <ModelCells model={model} feature={model.feature} />
      <td class="number">{law ? law.ignored_zeros.toLocaleString('en-US') : '–'}</td>
      <td>
        {at !== null && <span class="soft">at {number.size(at)}: </span>}
        <EstimateText estimate={at === null ? null : estimate(model, extra, at)} />
      </td>
      <td class="number">{model.doubts.length}</td>
    </tr>
  );
}
