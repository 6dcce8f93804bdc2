/** The first lines of a row's page: what it is, where it is, what it costs at most. */

import type { ComponentChildren } from 'preact';

import type { RowExtra } from '../data/types';
import * as number from '../format/number';
import { href } from '../state/route';
import { page } from '../state/store';
import { sizesForCommands } from '../state/target';
import { CopyButton } from '../view/copy';
import { Name } from '../view/parts';
import { CodeLine } from './code-line';
import { command } from './shown';

interface HeadProps {
  kind: string;
  title: string;
  file: string;
  line: number;
  facts: Fact[];
  /** As the command line knows the row. */
  name: string;
  feature: string | null;
}

export interface Fact {
  label: string;
  value: ComponentChildren;
}

export function Head({ kind, title, file, line, facts, name, feature }: HeadProps) {
  const { data, findings } = page.value;
  // The heading of most clusters is their place.
  const named = name === `${file}:${line}`;
  return (
    <header class="row-head">
      <div class="what">
        <p class="kind">{kind}</p>
        <h1>
          <Name text={title} columns={90} />
        </h1>
        {file !== '' && (
          <a class="place" href={href('source', file, { line: line > 0 ? line : null })}>
            {named ? (
              <span class="name">Open the source</span>
            ) : (
              <Name text={line > 0 ? `${file}:${line}` : file} columns={90} />
            )}
            <CodeLine file={file} line={line} />
          </a>
        )}
      </div>
      <div>
        <dl class="row-facts wrap">
          {facts.map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>{fact.value}</dd>
            </div>
          ))}
        </dl>
        <p class="actions wrap">
          <CopyButton label="Copy link" text={() => location.href} />
          <CopyButton
            label="Copy command line"
            text={() =>
              command(data.study, name, findings.features.length > 1 ? feature : null, sizesForCommands())
            }
          />
        </p>
      </div>
    </header>
  );
}

/** What clusters and functions have in common. */
export function costFacts(row: { max_cost: number; share_of_largest: number }, extra: RowExtra): Fact[] {
  const others = extra.share_of_others;
  const facts = [
    { label: `most ${page.value.findings.unit} in a run`, value: number.cost(row.max_cost) },
    { label: 'of the costliest run', value: number.share(row.share_of_largest) },
  ];
  return others === undefined
    ? facts
    : [...facts, { label: 'of others, up to', value: number.share(others) }];
}
