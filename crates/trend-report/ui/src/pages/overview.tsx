/** What a reader should know who reads nothing else. */

import { visible } from '../format/text';
import { AtTarget } from '../overview/chart';
import { Health } from '../overview/health';
import { Statements } from '../overview/statements';
import { Total } from '../overview/total';
import { FeatureChoice } from '../listing/feature-choice';
import { href } from '../state/route';
import { feature, page } from '../state/store';
import { asked, pointText, sizesForCommands, target } from '../state/target';
import { CopyButton, shellQuote } from '../view/copy';
import { Name, Section } from '../view/parts';

export function Overview() {
  const { data, findings } = page.value;
  return (
    <div class="overview">
      <header class="title wrap">
        <h1>
          <Name text={findings.program.name} columns={60} />
        </h1>
        <p class="soft">What will not scale, and where: costs in {visible(findings.unit)}.</p>
      </header>
      {data.verdict.length > 0 && (
        <section class="verdicts" aria-label="Verdict">
          <h2 class="hidden">Verdict</h2>
          <Statements />
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
