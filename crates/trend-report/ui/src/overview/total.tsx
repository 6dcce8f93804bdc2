/** The whole program: its growth, what it costs at the target, and what is doubtful of that. */

import { outlook } from '../data/predict';
import { size } from '../format/number';
import { visible } from '../format/text';
import { page } from '../state/store';
import { EstimateText, Formula, GrowthBadge, Name, Warnings } from '../view/parts';

export function Total() {
  const { findings, data } = page.value;
  const found = outlook(findings.total, data.total);
  if (!found) return null;
  const { model, at, estimate } = found;
  return (
    <div class="total">
      <p>
        <b>The whole program</b> <GrowthBadge growth={model.growth} />{' '}
        {model.power_law && <Formula law={model.power_law} feature={model.feature} />}
        {at !== null && (
          <>
            {' '}
            · at <Name text={model.feature} columns={24} /> = {size(at)}: <EstimateText estimate={estimate} />
          </>
        )}
      </p>
      <Warnings warnings={model.warnings} />
      {model.next && <p class="next">{visible(model.next.message)}</p>}
    </div>
  );
}
