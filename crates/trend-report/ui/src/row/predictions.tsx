/** What the row will cost at the sizes of interest. */

import type { Model } from '../data/types';
import * as number from '../format/number';
import { ClassText, EstimateText, Name } from '../view/parts';
import type { Outlook } from './shown';

export function Predictions({ model, outlooks }: { model: Model; outlooks: Outlook[] }) {
  if (outlooks.length === 0) return <p class="soft">There is no model to predict by.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="predictions">
      <table class="predictions">
        <thead>
          <tr>
            <th scope="col" class="number">
              <Name text={model.feature} columns={24} />
            </th>
            <th scope="col">cost and interval</th>
            <th scope="col">by</th>
          </tr>
        </thead>
        <tbody>
          {outlooks.map((o) => (
            <tr key={o.at} class={o.asked ? 'asked' : ''}>
              <th scope="row" class="number">
                {number.size(o.at)} <span class="detail">{o.label}</span>
              </th>
              <td>
                <EstimateText estimate={o.estimate} />
              </td>
              <td>{o.estimate ? <ClassText text={o.estimate.from} /> : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
