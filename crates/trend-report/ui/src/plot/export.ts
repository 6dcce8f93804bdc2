/**
 * Exports the numbers behind a drawing, and the drawing as a file. The style sheet does not go into the file, so styles
 * are written into the marks.
 */

import { delimited, save, saveBlob } from '../files/delimited';
import { isMeasured } from './domain';
import type { PlotProps } from './types';

const INKED = (
  'fill fill-opacity stroke stroke-opacity stroke-width stroke-dasharray stroke-linecap stroke-linejoin opacity ' +
  'paint-order font-size font-family font-weight font-style'
).split(' ');

const TITLE_ROOM = 26;
/** Scale factor that keeps a picture sharp in print and on dense screens. */
const PNG_SCALE = 2;

export function svgText(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  ink(svg, copy);
  const { width, height } = svg.viewBox.baseVal;
  for (const name of ['class', 'role', 'tabindex', 'aria-label', 'aria-roledescription'])
    copy.removeAttribute(name);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 ${-TITLE_ROOM} ${width} ${height + TITLE_ROOM}`);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height + TITLE_ROOM));
  const root = getComputedStyle(document.documentElement);
  const add = (name: string, attributes: Record<string, string | number>, text = '') => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = text;
    copy.prepend(element);
  };
  const font = { 'font-family': 'sans-serif', 'font-size': 15, 'font-weight': 600 };
  add('text', { x: 0, y: -8, fill: root.color, ...font }, title);
  add('rect', { x: 0, y: -TITLE_ROOM, width, height: height + TITLE_ROOM, fill: root.backgroundColor });
  return new XMLSerializer().serializeToString(copy);
}

function ink(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of INKED) to.setAttribute(name, style.getPropertyValue(name));
  to.removeAttribute('class');
  Array.from(from.children).forEach((child, i) => {
    const twin = to.children[i];
    if (twin) ink(child, twin);
  });
}

async function pngBlob(text: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * PNG_SCALE;
    canvas.height = image.naturalHeight * PNG_SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) =>
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

export type FileKind = 'svg' | 'png' | 'csv';

export async function exportPlot(kind: FileKind, props: PlotProps, svg: SVGSVGElement | null): Promise<void> {
  const { title } = props;
  if (kind === 'csv') save(`${fileName(title)}.csv`, 'text/csv', csv(props));
  else if (svg) await savePicture(kind, title, svgText(svg, title));
}

export async function savePicture(kind: 'svg' | 'png', title: string, text: string): Promise<void> {
  const name = `${fileName(title)}.${kind}`;
  if (kind === 'svg') save(name, 'image/svg+xml', text);
  else saveBlob(name, await pngBlob(text));
}

/** Returns a name that is safe on any file system. */
function fileName(title: string): string {
  return (
    title
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 80) || 'plot'
  );
}

/** A row of exported data for one mark. `lo` and `hi` are the ends of an interval. */
export interface DataRow {
  measured: boolean;
  series: string;
  name: string;
  x: number;
  y: number | null;
  lo: number | null;
  hi: number | null;
  value: number | null;
  /** True if `y` is rounded. */
  approximate: boolean;
}

export function dataRows(props: PlotProps): DataRow[] {
  const rows: DataRow[] = [];
  const none = { name: '', y: null, lo: null, hi: null, value: null, approximate: false };
  for (const s of props.series) {
    const add = (row: Partial<DataRow> & { x: number }) =>
      rows.push({ measured: isMeasured(s), series: s.name, ...none, ...row });
    if (s.kind === 'points') {
      s.y.forEach((y, i) => {
        const x = s.x[i] ?? null;
        if (x === null || y === null) return;
        const [lo, hi] = s.ranges?.[i] ?? [null, null];
        add({
          ...{ x, y, lo, hi },
          approximate: s.approximate ?? false,
          name: s.labels?.(s.ids?.[i] ?? i) ?? '',
          value: s.value?.[i] ?? null,
        });
      });
    } else if (s.kind === 'line') s.points.forEach(([x, y]) => add({ x, y }));
    else s.points.forEach(([x, lo, hi]) => add({ x, lo, hi }));
  }
  return rows;
}

/** Writes the data as CSV. */
export function csv(props: PlotProps): string {
  // Exports only the measurements if there are any; the lines are merely drawn through them.
  const all = dataRows(props);
  const measured = all.filter((row) => row.measured);
  const rows = measured.length > 0 ? measured : all;
  const colour = props.series.find((s) => s.kind === 'points' && s.valueLabel);
  const valueLabel = colour?.kind === 'points' ? (colour.valueLabel ?? 'value') : null;
  const and = <T>(value: T) => (valueLabel ? [value] : []);
  const head = ['series', 'name', props.x.label, props.y.label, 'lo', 'hi', ...and(valueLabel ?? '')];
  const lines = rows.map((r) => [r.series, r.name, r.x, r.y, r.lo, r.hi, ...and(r.value)]);
  return delimited(head, lines, ',');
}
