/** What the row will cost at the points of interest. */

import { EstimateText } from '../view/parts';
import type { Outlook } from './shown';

export function Predictions({ outlooks }: { outlooks: Outlook[] }) {
  if (outlooks.every((o) => o.estimate === null)) return <p class="soft">There is no law to predict by.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="predictions">
      <table class="predictions">
        <thead>
          <tr>
            <th scope="col">at</th>
            <th scope="col">cost and interval</th>
          </tr>
        </thead>
        <tbody>
          {outlooks.map((o) => (
            <tr key={o.where} class={o.asked ? 'asked' : ''}>
              <th scope="row">
                <bdi>{o.where}</bdi> <span class="detail">{o.label}</span>
              </th>
              <td>
                <EstimateText estimate={o.estimate} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
