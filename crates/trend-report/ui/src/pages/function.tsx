/** A function: the same as of a cluster, for all of its blocks together. */

import { useMemo } from 'preact/hooks';

import { outlookFeature } from '../data/predict';
import * as number from '../format/number';
import { RowBody } from '../row/body';
import { costFacts, Head } from '../row/facts';
import { locationsOf, Members, namesByCost } from '../row/members';
import { shownModel, type RowFacts } from '../row/shown';
import { page } from '../state/store';
import { Name } from '../view/parts';
import { Unknown } from '../view/unknown';

export function FunctionPage({ id }: { id: string }) {
  const found = page.value.function(id);
  const asked = outlookFeature();
  const parts = useMemo(() => found && partsOf(found), [found?.row, found?.extra]);
  if (!found || !parts) return <Unknown view="function" id={id} />;
  const { row } = found;
  const rank = (page.value.functionIndex.get(id) ?? 0) + 1;
  const shown = shownModel(row.models, asked);
  return (
    <>
      <Head
        kind="Function"
        title={<Name text={row.name} columns={90} />}
        file={row.file}
        line={row.line}
        facts={[
          { label: 'rank', value: `#${rank} of ${page.value.findings.functions.length}` },
          ...costFacts(row),
          { label: 'locations that vary', value: number.size(parts.members.length) },
        ]}
        name={row.name}
        feature={row.models[shown]?.feature ?? null}
      />
      <RowBody row={parts.facts} shown={shown} />
      <Members members={parts.members} of="function" />
    </>
  );
}

function partsOf({ row, extra }: NonNullable<ReturnType<typeof page.value.function>>) {
  const members = locationsOf(page.value, row.name, row.file);
  const facts: RowFacts = {
    name: row.name,
    models: row.models,
    extra,
    of: { location: row.name, file: row.file },
    locations: namesByCost(members),
    ...(row.joint ? { joint: row.joint } : {}),
  };
  return { facts, members };
}
