/** What a reader should know who reads nothing else. */

import { visible } from '../format/text';
import { Cards } from '../overview/cards';
import { AtTarget } from '../overview/chart';
import { Health } from '../overview/health';
import { Total } from '../overview/total';
import { FeatureChoice } from '../listing/feature-choice';
import { href } from '../state/route';
import { feature, page } from '../state/store';
import { asked, pointText, sizesForCommands, target } from '../state/target';
import { CopyButton, shellQuote } from '../view/copy';
import { Name, Section } from '../view/parts';

export function Overview() {
  const { data, findings } = page.value;
  // Where nothing varies the verdict has said so already.
  const few = findings.clusters.length === 0 && data.verdict.length > 0 ? null : tooLittle();
  return (
    <div class="overview">
      <header class="title wrap">
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
      <p class="row wrap">
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
  const [first] = findings.features;
  const name = feature.value ?? [...asked.value.keys()][0] ?? first?.name;
  const place = target.value.find((p) => p.feature === name);
  if (!place || findings.clusters.length === 0) return null;
  return (
    <Section title={<bdi>At {pointText(target.value)}</bdi>}>
      <FeatureChoice />
      <AtTarget feature={place.feature} at={place.at} />
      <p class="note">
        {asked.value.size === 0 &&
          'Ten times the 95th percentile of the sizes that were run; the boxes above ask for others. '}
        <a href={href('clusters')}>All clusters</a>
      </p>
    </Section>
  );
}

function commandLine(): string {
  const sizes = sizesForCommands();
  const words = [sizes.length > 0 ? 'predict' : 'show', page.value.data.study, ...sizes];
  return ['trend-prof', ...words.map(shellQuote)].join(' ');
}
