/** A tab per feature, with what its model is worth. */

import type { Model } from '../data/types';
import * as number from '../format/number';
import { go, hrefHere } from '../state/route';
import { GrowthBadge, Name } from '../view/parts';

export function FeatureTabs({ models, shown, panel }: { models: Model[]; shown: number; panel: string }) {
  const key = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = models[(shown + by + models.length) % models.length];
    if (by === 0 || !next) return;
    event.preventDefault();
    event.stopPropagation();
    go(hrefHere({ feature: next.feature }));
    const tabs = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=tab]');
    tabs[(shown + by + models.length) % models.length]?.focus();
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
