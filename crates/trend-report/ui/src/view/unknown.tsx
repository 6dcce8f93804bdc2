/** A link to what this study does not have: says so, and offers names that are near. */

import { visible } from '../format/text';
import { href, route } from '../state/route';
import { Name } from './parts';

export function Unknown({ what, id, known }: { what: string; id: string; known: string[] }) {
  const word = id.toLowerCase();
  const near = known.filter((k) => word !== '' && k.toLowerCase().includes(word)).slice(0, 8);
  return (
    <>
      <h1>No such {what}</h1>
      <p>
        This study has no {what} <bdi>{visible(id.slice(0, 200))}</bdi>; it may have been one of an earlier
        run.
      </p>
      {near.length > 0 && (
        <ul>
          {near.map((name) => (
            <li key={name}>
              <a href={href(route.value.view, name)}>
                <Name text={name} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
