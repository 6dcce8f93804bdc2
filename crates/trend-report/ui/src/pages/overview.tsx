/** What a reader should know who reads nothing else: the answer, then the evidence, then the doubt. */

import { grouped, plural } from '../format/number';
import { visible } from '../format/text';
import { answer } from '../overview/answer';
import { Band, sizeRange } from '../overview/band';
import { Growth } from '../overview/chart';
import { FailedAbove, TooFew } from '../overview/states';
import { Top } from '../overview/top';
import { href } from '../state/route';
import { page } from '../state/store';
import { sizesForCommands } from '../state/target';
import { CopyButton, shellQuote } from '../view/copy';

export function Overview() {
  const said = answer.value;
  return (
    <div class="overview">
      <FailedAbove />
      {said ? (
        <>
          <Band said={said} />
          <Growth />
          <Top />
        </>
      ) : (
        <TooFew />
      )}
      <Data />
      <p class="foot wrap">
        <span>
          {page.value.data.generated_by} · seed {page.value.findings.seed} · {page.value.findings.level * 100}{' '}
          % intervals · bare numbers were counted; ≈ or an interval marks an estimate
        </span>
        <CopyButton label="Copy link" text={() => location.href} />
        <CopyButton label="Copy command line" text={commandLine} />
      </p>
    </div>
  );
}

/** Whether the data can carry what is said above them, in one line. */
function Data() {
  const { workloads, features, locations } = page.value.findings;
  const [first, ...others] = features;
  return (
    <p class="facts wrap">
      <a href={href('workloads')}>
        {plural(workloads.count, 'run')} {first && sizeRange(first)}
        {workloads.failed > 0 ? `, ${grouped(workloads.failed)} failed` : ', none failed'}
      </a>
      <span>{plural(locations.total, 'block')} counted exactly</span>
      <a href={href('method')}>
        {first === undefined
          ? 'no feature'
          : others.length === 0
            ? `one feature: ${visible(first.name).slice(0, 40)}`
            : plural(features.length, 'feature')}
      </a>
    </p>
  );
}

function commandLine(): string {
  const sizes = sizesForCommands();
  const words = [sizes.length > 0 ? 'predict' : 'show', page.value.data.study, ...sizes];
  return ['trend-prof', ...words.map(shellQuote)].join(' ');
}
