/** The runs: how sizes are spread, which of them cost other than the law says, which failed. */

import { useMemo } from 'preact/hooks';

import * as number from '../format/number';
import { visible } from '../format/text';
import { RUN_CHIPS, runColumns, runFilters } from '../listing/run-columns';
import { offBy, runs } from '../listing/runs';
import { hrefHere, param } from '../state/route';
import { page } from '../state/store';
import { Grid } from '../table/grid';
import { CopyButton, exclusion } from '../view/copy';
import { LawText, Name } from '../view/parts';

const selectedName = param('selected');

/** Failures and features that are named. */
const MOST_FAILURES = 20;
const MOST_FEATURES = 50;

/** More outliers than these are the grid's to list. */
const NAMED_OUTLIERS = 5;

export function Workloads() {
  const now = page.value;
  const rows = useMemo(() => runs(now), [now]);
  const columns = useMemo(() => runColumns(now), [now]);
  const filters = useMemo(() => runFilters(now), [now]);
  const selected = rows.find((row) => row.info.name === selectedName.value);
  const { law } = now.findings.total;
  return (
    <>
      <header class="page-head wrap">
        <h1>Workloads</h1>
        <p class="soft">
          {number.plural(rows.length, 'workload')}
          {law && (
            <>
              ; the law of their total cost: <LawText text={law.formula} most={200} />
            </>
          )}
        </p>
      </header>
      <Outliers />
      <Failures />
      <Features />
      {selected && selected.info.command !== '' && (
        <p>
          <CopyButton label="Copy command line" text={() => selected.info.command} />{' '}
          <code>{visible(selected.info.command.slice(0, 4000))}</code>
          {selected.info.command.includes('{input}') && (
            <span class="soft"> – {'{input}'} is the file that was made for these parameters.</span>
          )}
        </p>
      )}
      <Grid
        name="workloads"
        noun="workload"
        rows={rows}
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

function Outliers() {
  const { scatter } = page.value.findings.total;
  if (!scatter) return null;
  const off = scatter.outliers;
  if (off.length === 0) {
    return (
      <p class="soft">
        No run is more than {scatter.limit} σ off the law of the total (σ: 1.4826 times the median absolute
        deviation of the logarithms).
      </p>
    );
  }
  return (
    <details class="outliers" open={off.length <= NAMED_OUTLIERS}>
      <summary>
        {number.plural(off.length, 'outlier')}: more than {scatter.limit} σ off the law of the total
      </summary>
      <ul>
        {off.slice(0, NAMED_OUTLIERS).map((run) => (
          <li key={run.workload}>
            <a href={hrefHere({ selected: run.workload })}>
              <Name text={run.workload} columns={60} />
            </a>{' '}
            <span class="doubt">{offBy(run)}</span>
          </li>
        ))}
      </ul>
      <p>
        {off.length > NAMED_OUTLIERS && (
          <>
            <a href={hrefHere({ show: 'outliers', sort: '-sigmas' })}>All {off.length} in the table</a>{' '}
          </>
        )}
        <CopyButton label="Copy as --exclude" text={() => exclusion(off.map((run) => run.workload))} />
      </p>
    </details>
  );
}

function Failures() {
  const { failures } = page.value.findings.workloads;
  if (failures.length === 0) return null;
  return (
    <details open={failures.length <= 3}>
      <summary>Runs without counts ({failures.length.toLocaleString('en-US')})</summary>
      <ul>
        {failures.slice(0, MOST_FAILURES).map((f, i) => (
          <li key={i}>
            <Name text={f.name} columns={60} />: <Name text={f.reason} columns={200} />
            {f.stderr_tail?.trim() && <pre>{f.stderr_tail.trim().split('\n').map(visible).join('\n')}</pre>}
          </li>
        ))}
        {failures.length > MOST_FAILURES && <li>and {failures.length - MOST_FAILURES} more</li>}
      </ul>
    </details>
  );
}

/** What is to be known of the features besides their ranges. */
function Features() {
  const remarks = page.value.findings.features.slice(0, MOST_FEATURES).flatMap((f) => {
    const said = [
      f.missing > 0 && `${f.missing} missing`,
      f.not_positive > 0 && `${f.not_positive} not positive, left out`,
      f.joins !== undefined && `linear in ${visible(f.joins).slice(0, 60)}`,
    ].filter((remark) => remark !== false);
    return said.length > 0 ? [`${visible(f.name).slice(0, 40)}: ${said.join('; ')}`] : [];
  });
  return remarks.length > 0 ? <p class="soft">{remarks.join(' · ')}</p> : null;
}
