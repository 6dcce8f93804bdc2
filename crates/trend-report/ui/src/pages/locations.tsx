/** Every counted location: what it costs, and which cluster says how that grows. */

import { useMemo } from 'preact/hooks';

import * as number from '../format/number';
import { FeatureChoice } from '../listing/feature-choice';
import { LocationGrid } from '../listing/location-grid';
import { locationRows } from '../listing/locations';
import { feature, page } from '../state/store';

export function Locations() {
  const now = page.value;
  const rows = useMemo(() => locationRows(now, feature.value), [now, feature.value]);
  const { locations } = now.findings;
  return (
    <>
      <header class="page-head wrap">
        <h1>Locations</h1>
        <p class="soft">
          {number.plural(rows.length, 'counted location')} of {locations.total.toLocaleString('en-US')};{' '}
          {locations.varying.toLocaleString('en-US')} vary.
        </p>
        <FeatureChoice />
      </header>
      <LocationGrid rows={rows} />
    </>
  );
}
