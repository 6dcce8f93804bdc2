/** What grows differently than in the version before. */

import { Changes } from '../compare/changes';
import { Overlay } from '../compare/chart';
import { chosen, compare, featureOf, sizeOf } from '../compare/state';
import { Studies, Verdict } from '../compare/verdict';
import type { Compare as Data, ComparedTarget } from '../data/types';
import { page } from '../state/store';
import { CopyButton, shellQuote } from '../view/copy';

export function Compare() {
  const [data, shown] = [compare.value, chosen.value];
  if (!data || !shown) return <NotCompared />;
  const { outcome } = shown.comparison;
  return (
    <div class={`overview compare ${outcome}`}>
      <h1 class="hidden">What grows differently</h1>
      <Studies data={data} shown={shown} />
      <Verdict shown={shown} />
      <Overlay data={data} shown={shown} />
      <Changes data={data} shown={shown} />
      <p class="foot wrap">
        <span>
          costs of the same inputs are compared with each other · {shown.comparison.level * 100} % intervals ·
          what is not decided is not called changed
        </span>
        <CopyButton label="Copy link" text={() => location.href} />
        <CopyButton label="Copy command line" text={() => commandLine(data, shown)} />
      </p>
    </div>
  );
}

function commandLine(data: Data, shown: ComparedTarget): string {
  const words = ['diff', ...data.names, '--at', `${featureOf(data)}=${sizeOf(shown)}`];
  return ['trend-prof', ...words.map(shellQuote)].join(' ');
}

function NotCompared() {
  return (
    <>
      <h1>Nothing to compare with</h1>
      <p>This page was made of one study. Name that of the version before:</p>
      <p>
        <code>{`trend-prof report ${shellQuote(page.value.data.study)} --before BEFORE.trend`}</code>
      </p>
    </>
  );
}
