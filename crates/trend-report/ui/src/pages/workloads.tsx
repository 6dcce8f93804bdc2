/** The runs: how sizes are spread, which of them cost other than the law says, which failed. */

import { useMemo } from 'preact/hooks';

import { outlookFeature } from '../data/predict';
import type { FeatureSummary } from '../data/types';
import * as number from '../format/number';
import { FeatureChoice } from '../listing/feature-choice';
import { isOutlier, offBy, OUTLIER_SIGMAS } from '../listing/outliers';
import { RUN_CHIPS, runColumns, runFilters } from '../listing/run-columns';
import { RunPanel } from '../listing/run-panel';
import { runs, type Runs } from '../listing/runs';
import { Histogram } from '../overview/health';
import { decades } from '../overview/ranking';
import { hrefHere, param } from '../state/route';
import { page } from '../state/store';
import { Grid } from '../table/grid';
import { CopyButton, exclusion } from '../view/copy';
import { Name } from '../view/parts';

const selectedName = param('selected');

/** More outliers than these are the grid's to list. */
const NAMED_OUTLIERS = 5;
const SHOWN_FEATURES = 12;

export function Workloads() {
  const now = page.value;
  const feature = outlookFeature();
  const shown = useMemo(() => runs(now, feature), [now, feature]);
  const columns = useMemo(() => runColumns(now), [now]);
  const filters = useMemo(() => runFilters(now), [now]);
  const selected = shown.rows.find((row) => row.info.name === selectedName.value);
  const { features } = now.findings;
  return (
    <>
      <header class="page-head">
        <h1>Workloads</h1>
        <p class="soft">
          {number.plural(shown.rows.length, 'workload')}
          {shown.feature !== null && (
            <>
              ; the law of their total cost is in <Name text={shown.feature} columns={30} />
            </>
          )}
          .
        </p>
        <FeatureChoice />
      </header>
      <ul class="spread" aria-label="how the features' values are spread">
        {features.slice(0, SHOWN_FEATURES).map((f, i) => (
          <Spread key={f.name} feature={f} values={now.data.feature_values[i] ?? []} />
        ))}
      </ul>
      <Outliers runs={shown} />
      <Failures />
      {selected && <RunPanel row={selected} feature={shown.feature} />}
      <Grid
        name="workloads"
        noun="workload"
        rows={shown.rows}
        columns={columns}
        id={(row) => row.info.name}
        href={(row) => hrefHere({ selected: row.info.name })}
        search={(row) => `${row.info.name} ${row.info.command}`}
        defaultSort="-total"
        filters={filters}
        chips={RUN_CHIPS}
        actions={(rows) => (
          <CopyButton label="Copy as --exclude" text={() => exclusion(rows.map((row) => row.info.name))} />
        )}
      />
    </>
  );
}

function Spread({ feature, values }: { feature: FeatureSummary; values: (number | null)[] }) {
  const { name, min, max, missing, not_positive } = feature;
  const span = decades(min, max);
  return (
    <li>
      <Histogram values={values} />
      <p>
        <b>
          <Name text={name} columns={24} />
        </b>{' '}
        {min !== null && max !== null && `${number.size(min)} to ${number.size(max)}`}
        <br />
        <span class="soft">
          {span === null ? 'no range' : `${number.significant(span, 2)} decades`}
          {missing > 0 && `, ${missing} missing`}
          {not_positive > 0 && `, ${not_positive} not positive`}
        </span>
      </p>
    </li>
  );
}

function Outliers({ runs: { rows, feature } }: { runs: Runs }) {
  const off = rows
    .filter((row) => isOutlier(row.residual))
    .sort((a, b) => Math.abs(b.residual?.sigmas ?? 0) - Math.abs(a.residual?.sigmas ?? 0));
  if (feature === null) return null;
  if (off.length === 0) {
    return (
      <p class="soft">
        No run is more than {OUTLIER_SIGMAS} σ off the law of the total in{' '}
        <Name text={feature} columns={30} /> (σ: 1.4826 times the median absolute deviation of the
        logarithms).
      </p>
    );
  }
  return (
    <details class="outliers" open={off.length <= NAMED_OUTLIERS}>
      <summary>
        {number.plural(off.length, 'outlier')}: more than {OUTLIER_SIGMAS} σ off the law of the total in{' '}
        <Name text={feature} columns={30} />
      </summary>
      <ul>
        {off.slice(0, NAMED_OUTLIERS).map((row) => (
          <li key={row.info.name}>
            <a href={hrefHere({ selected: row.info.name })}>
              <Name text={row.info.name} columns={60} />
            </a>{' '}
            {row.residual && <span class="doubt">{offBy(row.residual)}</span>}
          </li>
        ))}
      </ul>
      <p>
        {off.length > NAMED_OUTLIERS && (
          <>
            <a href={hrefHere({ show: 'outliers', sort: '-sigmas' })}>All {off.length} in the table</a>{' '}
          </>
        )}
        <CopyButton label="Copy as --exclude" text={() => exclusion(off.map((row) => row.info.name))} />
      </p>
    </details>
  );
}

/** With all their reasons: who looks here wants to know them. */
function Failures() {
  const { failures, failed } = page.value.findings.workloads;
  if (failed === 0) return null;
  return (
    <details class="failures" open={failures.length <= NAMED_OUTLIERS}>
      <summary class="doubt">{number.plural(failed, 'run')} failed</summary>
      <ul>
        {failures.map((f, i) => (
          <li key={i}>
            <b>
              <Name text={f.name} columns={80} />
            </b>
            : <Name text={f.reason} columns={600} />
          </li>
        ))}
      </ul>
      {failures.length < failed && (
        <p class="soft">
          {(failed - failures.length).toLocaleString('en-US')} more, whose reasons are not recorded.
        </p>
      )}
    </details>
  );
}
