/** All charts of a routine as one file. */

import { save, saveBlob } from '../files/save';
import { fileName, pngBlob, svgText } from '../plot/export';

/** Between two charts, in pixels. */
const GAP = 24;
const ACROSS = 3;

export async function saveCharts(kind: 'svg' | 'png', name: string): Promise<void> {
  const text = sheet([...document.querySelectorAll('#app .multiples figure')]);
  const file = `${fileName(name)}.${kind}`;
  if (kind === 'svg') save(file, 'image/svg+xml', text);
  else saveBlob(file, await pngBlob(text));
}

/** The drawings of figures in rows of three, each as it is saved alone. */
function sheet(figures: readonly Element[]): string {
  const drawn = figures.flatMap((figure) => {
    const svg = figure.querySelector<SVGSVGElement>('.drawing svg');
    return svg ? [svgText(svg, figure.querySelector('h3')?.textContent ?? '')] : [];
  });
  const documents = drawn.map(
    (text) => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement,
  );
  const side = (name: 'width' | 'height') =>
    Math.max(...documents.map((d) => Number(d.getAttribute(name))), 1) + GAP;
  const [width, height] = [side('width'), side('height')];
  const sheet = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  sheet.setAttribute('width', String(ACROSS * width));
  sheet.setAttribute('height', String(Math.ceil(documents.length / ACROSS) * height));
  documents.forEach((one, i) => {
    one.setAttribute('x', String((i % ACROSS) * width));
    one.setAttribute('y', String(Math.floor(i / ACROSS) * height));
    sheet.append(one);
  });
  return new XMLSerializer().serializeToString(sheet);
}
