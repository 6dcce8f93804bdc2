/** A model read aloud, with the numbers of this study. */

import { href } from '../state/route';
import { page } from '../state/store';
import { Words } from '../row/words';
import { LawText, Name } from '../view/parts';
import { modelIndex } from '../data/models';

/** The costliest cluster that the analysis has words for. */
export function Example() {
  const { findings, data } = page.value;
  const i = data.clusters.findIndex((c) => c.models.some((m) => m.sentences.length > 0));
  const [cluster, extra] = [findings.clusters[i], data.clusters[i]];
  if (!cluster || !extra)
    return <p>No cluster of this study has a model, so there is none to explain by example.</p>;
  return (
    <>
      <p>
        <a href={href('cluster', cluster.representative.name)}>
          <Name text={page.value.title(cluster)} columns={60} />
        </a>
        : cost = <LawText text={extra.formula} />
      </p>
      <Words sentences={extra.models[modelIndex(cluster, null)]?.sentences ?? []} />
    </>
  );
}
