/** Says politely that the study has changed, or that nobody serves the page any more. */

import { live } from '../data/live';
import { visible } from '../format/text';

export function LiveBanner() {
  const said = live.value;
  return (
    <div class={said?.trouble ? 'live trouble' : 'live'} role="status">
      {said && (
        <>
          <span>{visible(said.text)}</span>
          <button type="button" aria-label="hide this message" onClick={() => (live.value = null)}>
            ✕
          </button>
        </>
      )}
    </div>
  );
}
