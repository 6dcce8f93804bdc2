/** What tables of models have in common: a head and cells for growth, fit, exponent, R² and points. */

import type { ComponentChildren } from 'preact';

import type { Model } from '../data/types';
import * as number from '../format/number';
import { Formula, GrowthBadge } from './parts';

export function NumberHead({ children }: { children: ComponentChildren }) {
  return (
    <th scope="col" class="number">
      {children}
    </th>
  );
}

/** `points`: what one of them is. */
export function ModelHeads({ points = 'points' }: { points?: string }) {
  return (
    <>
      <th scope="col">growth</th>
      <th scope="col">power law</th>
      <th scope="col">exponent</th>
      <NumberHead>R²</NumberHead>
      <NumberHead>{points}</NumberHead>
    </>
  );
}

/** In the order of the heads. */
export function ModelCells({ model, feature }: { model: Model | undefined; feature: string }) {
  const law = model?.power_law;
  return (
    <>
      <td>
        <GrowthBadge growth={model?.growth} />
      </td>
      <td>{law ? <Formula law={law} feature={feature} /> : '–'}</td>
      <td>
        {law ? number.exponent(law.b, law.b_ci) : '–'}
        {law?.b_ci && <span class="soft"> ({number.exponentInterval(law.b_ci)})</span>}
      </td>
      <td class="number">{law ? number.r2(law.r2) : '–'}</td>
      <td class="number">{law ? law.points.toLocaleString('en-US') : '–'}</td>
    </>
  );
}
