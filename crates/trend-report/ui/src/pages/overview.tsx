/** What a reader should know who reads nothing else. */

import { size } from '../format/number';
import { shorten, visible } from '../format/text';
import { Cards } from '../overview/cards';
import { AtTarget } from '../overview/chart';
import { Health } from '../overview/health';
import { Total } from '../overview/total';
import { href, setParams } from '../state/route';
import { feature, page, target, targetOf } from '../state/store';
import { CopyButton, shellQuote } from '../view/copy';
import { Name, Section } from '../view/parts';

export function Overview() {
  const { data, findings } = page.value;
  // Where nothing varies the verdict has said so already.
  const few = findings.clusters.length === 0 && data.verdict.length > 0 ? null : tooLittle();
  return (
    <div class="overview">
      <header class="title">
        <h1>
          <Name text={findings.program.name} columns={60} />
        </h1>
        <p class="soft">What will not scale, and where: costs in {visible(findings.unit)}.</p>
      </header>
      {few !== null && <p class="failure">{few}</p>}
      {data.verdict.length > 0 && (
        <section class="verdicts" aria-label="Verdict">
          <h2 class="hidden">Verdict</h2>
          <Cards />
        </section>
      )}
      <Total />
      <Target />
      <Section title="The data">
        <Health />
      </Section>
      <p class="row">
        <CopyButton label="Copy link" text={() => location.href} />
        <CopyButton label="Copy command line" text={commandLine} />
      </p>
    </div>
  );
}

/** Why there is little to see, in words; `null` where there is enough. */
function tooLittle(): string | null {
  const { workloads, clusters, features } = page.value.findings;
  if (workloads.count === 0) {
    return workloads.failed > 0
      ? 'No workload was counted: every run failed. The reasons are below.'
      : 'No workload was counted yet: there is nothing to tell.';
  }
  if (workloads.count === 1) {
    return 'One workload was counted: it says what the program costs there, and nothing about growth. Run more, of other sizes.';
  }
  if (features.length === 0) {
    return 'The workloads have no feature: there is no size for costs to grow with. Name one under [features].';
  }
  if (clusters.length === 0) {
    return 'No location’s cost varies: the workloads make no difference to the program.';
  }
  return null;
}

function Target() {
  const { findings } = page.value;
  const name = feature.value ?? target.value?.feature ?? findings.features[0]?.name;
  if (name === undefined || findings.clusters.length === 0) return null;
  const at = targetOf(name);
  if (at === null) return null;
  return (
    <Section
      title={
        <>
          At <Name text={name} columns={30} /> = {size(at)}
        </>
      }
    >
      {findings.features.length > 1 && (
        <p class="row">
          <label>
            by{' '}
            <select
              value={name}
              onChange={(e) => {
                const chosen = e.currentTarget.value;
                // The size that was typed is one of another feature.
                const other = target.value !== null && target.value.feature !== chosen;
                setParams({ feature: chosen, ...(other ? { at: null } : {}) }, 'push');
              }}
            >
              {findings.features.map((f) => (
                <option key={f.name} value={f.name}>
                  {shorten(f.name, 40)}
                </option>
              ))}
            </select>
          </label>
        </p>
      )}
      <AtTarget feature={name} at={at} />
      <p class="note">
        {target.value === null &&
          'Ten times the 95th percentile of the sizes that were run; the box above asks for another. '}
        <a href={href('clusters')}>All clusters</a>
      </p>
    </Section>
  );
}

function commandLine(): string {
  const { data } = page.value;
  const asked = target.value;
  const study = shellQuote(data.study);
  return asked
    ? `trend-prof predict ${study} ${shellQuote(`${asked.feature}=${asked.text}`)}`
    : `trend-prof show ${study}`;
}
