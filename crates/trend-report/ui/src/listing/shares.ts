/** Which shares of a run are told of a row, as in the terminal: that of the costliest run, and what is far above it. */

import * as number from '../format/number';

/** A greatest share above the share of the costliest run by this factor is told beside it. */
const FAR_ABOVE = 1.25;

/** The greatest share of a run, where the share of the costliest run does not tell about it. */
export function shareOfOthers(shareOfLargest: number, maxShare: number): number | null {
  const far = maxShare > shareOfLargest * FAR_ABOVE;
  return far && number.share(maxShare) !== number.share(shareOfLargest) ? maxShare : null;
}
