/** Which feature the rows of a table are explained by. Not there where a study has one feature. */

import { visible } from '../format/text';
import { setParams } from '../state/route';
import { feature, page } from '../state/store';

export function FeatureChoice() {
  const { features } = page.value.findings;
  if (features.length < 2) return null;
  return (
    <label class="feature-choice">
      Models in{' '}
      <select
        value={feature.value ?? ''}
        onChange={(e) => setParams({ feature: e.currentTarget.value || null }, 'push')}
      >
        <option value="">the feature that explains each row best</option>
        {features.map((f) => (
          <option key={f.name} value={f.name}>
            {visible(f.name).slice(0, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}
