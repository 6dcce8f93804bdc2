/** What stands in the place of the answer, or above it, where runs failed or are too few. */

import { cost, plural, share, significant, size } from '../format/number';
import { shorten, visible } from '../format/text';
import { functionRows } from '../listing/rows';
import { href } from '../state/route';
import { page } from '../state/store';
import { CopyButton } from '../view/copy';
import { Name } from '../view/parts';
import { Table } from '../view/table';
import { hasRuns } from './band';

/** As many as are named. */
const MOST_SIZES = 5;

/** That every run above some size failed. */
export function FailedAbove() {
  const { doubts, workloads, features } = page.value.findings;
  const doubt = doubts.find((d) => d.kind === 'largest_failed');
  const feature = page.value.featureIndex.get(doubt?.feature ?? '');
  const largest = feature === undefined ? null : (features[feature]?.max ?? null);
  if (!doubt || feature === undefined || largest === null) return null;
  const above = workloads.failures.filter((failure) => (failure.values[feature] ?? 0) > largest);
  const sizes = [...new Set(above.map((failure) => failure.values[feature] ?? 0))].sort((a, b) => a - b);
  const reasons = new Set(above.map((failure) => failure.reason));
  const said = above
    .map((failure) => failure.stderr_tail?.trim().split('\n')[0] ?? '')
    .find((line) => line !== '');
  const named = sizes.slice(0, MOST_SIZES).map((v) => size(Number(v.toPrecision(2))));
  return (
    <div class="failures wrap" role="status">
      <p>
        <b>
          {workloads.failed} of {workloads.failed + workloads.count} runs failed.
        </b>{' '}
        The largest that succeeded had {visible(doubt.feature ?? '').slice(0, 40)} ={' '}
        {size(Number(largest.toPrecision(2)))}; all above it{' '}
        {reasons.size === 1 ? shorten([...reasons][0] ?? '', 80) : 'failed'} ({named.join(', ')}
        {sizes.length > MOST_SIZES && ', …'}){said && ': '}
        {said && (
          <code>
            <Name text={said} columns={120} />
          </code>
        )}
      </p>
      <a class="button" href={href('workloads')}>
        See the runs
      </a>
    </div>
  );
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four'];

/** What was counted, and what would tell more. */
export function TooFew() {
  const { findings, data } = page.value;
  const sizes = new Set(data.feature_values[0]?.filter((v) => v !== null && v > 0));
  const [count, runs] = [sizes.size, findings.workloads.count];
  const apart = Math.max(...[...sizes].map(Number)) / Math.min(...[...sizes].map(Number));
  const few = `${NUMBERS[count] ?? count} size${count === 1 ? ' is' : 's are'} too few to predict from`;
  const title =
    runs === 0 ? 'Nothing was run yet' : count < 5 ? few : 'What was run is too much alike to predict from';
  const command = runs > 0 ? 'trend-prof run --until-decided' : 'trend-prof run';
  const other = runs > 0 ? null : `trend-prof try -- ./${visible(findings.program.name).slice(0, 60)} {n}`;
  const routines = (findings.series ?? []).length > 0;
  return (
    <section class="few">
      <h1>{title}</h1>
      <p>
        {runs === 0
          ? `The program was built and can be counted: ${plural(findings.locations.total, 'block')}. Run it on inputs of several sizes.`
          : `${plural(runs, 'run')} of ${plural(count, 'size')}${count > 1 ? `, ${significant(apart, 2)} times apart` : ''}. A law needs five sizes over a factor of 30. What was counted is below; no growth and no prediction is shown.`}
      </p>
      {(runs === 0 || hasRuns()) && (
        <p class="act wrap">
          <code class="line">{command}</code>
          <CopyButton label="Copy command" text={() => command} go />
          {other !== null && <code class="line">{other}</code>}
        </p>
      )}
      {routines && (
        <p>
          <a href={href('routines')}>Routines by the size of their own input</a>
        </p>
      )}
      {runs > 0 && <Counted />}
    </section>
  );
}

const MOST_ROWS = 10;

function Counted() {
  const rows = functionRows(page.value).slice(0, MOST_ROWS);
  if (rows.length === 0) return null;
  return (
    <Table
      label="what was counted"
      heads={['function', `${visible(page.value.findings.unit)}, at most`, 'share of the costliest run']}
      numeric={[1, 2]}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <a href={href('function', row.id)}>
              <Name text={row.name} columns={60} />
            </a>
          </th>
          <td class="number">{cost(row.maxCost)}</td>
          <td class="number">{share(row.shareOfLargest)}</td>
        </tr>
      ))}
    </Table>
  );
}
