/** The row above a drawing: its title, the switches of its axes, what it can be turned into. */

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';

import { visible } from '../format/text';
import { setParams } from '../state/route';
import { exportPlot, type FileKind } from './export';
import { keys, type Frame } from './frame';
import { resetZoom } from './gestures';
import type { Kind } from './scale';
import type { PlotProps } from './types';
import { ClassText } from '../view/parts';

interface ToolbarProps {
  props: PlotProps;
  frame: Frame;
  zoomed: boolean;
  table: boolean;
  svg: RefObject<SVGSVGElement | null>;
}

export function Toolbar({ props, frame, zoomed, table, svg }: ToolbarProps) {
  const key = keys(props);
  return (
    <div class="plot-bar wrap">
      <h3>
        <ClassText text={visible(props.title)} />
      </h3>
      <div class="plot-controls wrap">
        {props.controls}
        {zoomed && (
          <button
            type="button"
            onClick={() => resetZoom(props)}
            title="show all again (0, or a double click)"
          >
            Reset zoom
          </button>
        )}
        {props.x.switchable !== false && (
          <Switch axis="x" name={key.x} zoom={key.zoomX} kind={frame.x.kind} usual={props.x.scale} />
        )}
        {props.y.switchable !== false && (
          <Switch axis="y" name={key.y} zoom={key.zoomY} kind={frame.y.kind} usual={props.y.scale} />
        )}
        <button
          type="button"
          aria-pressed={table}
          title="show as a table"
          onClick={() => setParams({ [key.table]: table ? null : 1 })}
        >
          Table
        </button>
        <Export props={props} svg={svg} />
      </div>
    </div>
  );
}

interface SwitchProps {
  axis: 'x' | 'y';
  name: string;
  zoom: string;
  kind: Kind;
  usual?: Kind;
}

function Switch({ axis, name, zoom, kind, usual = 'log' }: SwitchProps) {
  const other = kind === 'log' ? 'linear' : 'log';
  // A zoom of one scale may be nonsense in the other, as one that begins below 0.
  const change = () => setParams({ [name]: other === usual ? null : other, [zoom]: null }, 'push');
  return (
    <button
      type="button"
      onClick={change}
      title={`make the ${axis} axis ${other === 'log' ? 'logarithmic' : 'linear'}`}
    >
      {axis}: {kind === 'log' ? 'log' : 'linear'}
    </button>
  );
}

const FILES: FileKind[] = ['svg', 'png', 'csv'];

function Export({ props, svg }: { props: PlotProps; svg: RefObject<SVGSVGElement | null> }) {
  const failed = useSignal(false);
  const save = (kind: FileKind) => {
    failed.value = false;
    exportPlot(kind, props, svg.current).catch(() => (failed.value = true));
  };
  return (
    <span class="joined wrap" role="group" aria-label={`save ${visible(props.title)}`}>
      {FILES.map((kind) => (
        <button key={kind} type="button" title={`save as ${kind.toUpperCase()}`} onClick={() => save(kind)}>
          {kind.toUpperCase()}
        </button>
      ))}
      {failed.value && (
        <span class="doubt" role="alert">
          could not be saved
        </span>
      )}
    </span>
  );
}
