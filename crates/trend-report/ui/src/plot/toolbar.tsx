/** A drawing as a table, and as files. */

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';

import { visible } from '../format/text';
import { route, setParams } from '../state/route';
import { exportPlot, type FileKind } from './export';
import type { PlotProps } from './types';

const FILES: FileKind[] = ['svg', 'png', 'csv'];

/** Whether somebody wants the numbers of a plot. */
export const hasTable = (id: string) => route.value.params.has(`${id}.table`);

export function Tools({ plot, svg }: { plot: PlotProps; svg: RefObject<SVGSVGElement | null> }) {
  const failed = useSignal(false);
  const shown = hasTable(plot.id);
  const save = (kind: FileKind) => {
    failed.value = false;
    exportPlot(kind, plot, svg.current).catch(() => (failed.value = true));
  };
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-pressed={shown}
        onClick={() => setParams({ [`${plot.id}.table`]: shown ? null : 1 })}
      >
        Table
      </button>
      <span class="joined wrap" role="group" aria-label={`save ${visible(plot.title)}`}>
        {FILES.map((kind) => (
          <button
            key={kind}
            type="button"
            class="quiet"
            title={`save as ${kind.toUpperCase()}`}
            onClick={() => save(kind)}
          >
            {kind.toUpperCase()}
          </button>
        ))}
        {failed.value && (
          <span class="doubt" role="alert">
            could not be saved
          </span>
        )}
      </span>
    </>
  );
}
