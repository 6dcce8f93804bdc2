/** The files, those first that cost most at the target: as a list, and as a strip beside the code of one. */

import { useMemo } from 'preact/hooks';

import { cost, grouped, share } from '../format/number';
import { visible } from '../format/text';
import { href } from '../state/route';
import { feature, page } from '../state/store';
import { numbers, type Column } from '../table/column';
import { Grid } from '../table/grid';
import { RowLink } from '../table/row';
import { GrowthBadge, Name } from '../view/parts';
import { percent } from './code';
import { shownModel, type FileCost } from './costs';

/** More files than these are on the page of all. */
const IN_STRIP = 12;

export function FileStrip({ files, current }: { files: FileCost[]; current: string }) {
  const first = files.slice(0, IN_STRIP);
  const own = files.find((f) => f.file === current);
  const shown = own && !first.includes(own) ? [own, ...first] : first;
  return (
    <nav class="strip" aria-label="Files by cost at the target">
      {shown.map((file) => (
        <a
          key={file.file}
          href={href('source', file.file)}
          aria-current={file.file === current ? 'page' : undefined}
          title={visible(file.file).slice(0, 500)}
          style={{ '--share': file.shareThen }}
        >
          <Name text={file.file.split('/').pop() ?? file.file} columns={22} />
          <span class="soft">{percent(file.shareThen)} %</span>
        </a>
      ))}
      {files.length > shown.length && <a href={href('source')}>All {grouped(files.length)} files</a>}
    </nav>
  );
}

/** `24.0 % of all files now, 30.1 % at bytes = 510 M`. */
export function shares(file: FileCost | undefined, then: string) {
  if (!file || file.cost === 0) return 'Nothing was counted in this file.';
  return (
    <>
      {share(file.share)} of all files now, <b>{share(file.shareThen)}</b> at <bdi>{then}</bdi>
    </>
  );
}

export function FileList({ files }: { files: FileCost[] }) {
  const columns = useMemo(columnsOf, [page.value, feature.value]);
  return (
    <Grid
      name="files"
      noun="file"
      rows={files}
      columns={columns}
      id={(f) => f.file}
      href={(f) => (f.file === '' ? null : href('source', f.file))}
      search={(f) => f.file}
      defaultSort="-sharethen"
    />
  );
}

function columnsOf(): Column<FileCost>[] {
  const carried = ({ file }: FileCost) => page.value.data.served || page.value.sourceIndex.has(file);
  const model = (f: FileCost) => shownModel(page.value, f.steepest, feature.value);
  return [
    {
      key: 'file',
      title: 'File',
      hint: 'in italics: its text is not in this page',
      width: 12,
      grow: 1,
      priority: 0,
      value: (f) => f.file,
      render: (f) => (
        <span class={carried(f) ? 'ellipsis' : 'ellipsis uncarried'}>
          <RowLink href={f.file === '' ? null : href('source', f.file)}>
            <Name text={f.file || '(no file)'} columns={70} />
          </RowLink>
        </span>
      ),
    },
    {
      key: 'growth',
      title: 'Growth',
      hint: 'the steepest that matters in it',
      width: 8,
      priority: 3,
      value: (f) => model(f)?.growth?.short ?? null,
      render: (f) => <GrowthBadge growth={model(f)?.growth} />,
    },
    numbers('cost', 'Cost now', (f) => f.cost, cost, {
      hint: 'each location in the run where it costs most',
      width: 5,
      priority: 4,
    }),
    numbers('share', 'Share', (f) => f.share, share, { width: 4.6, priority: 2 }),
    numbers(
      'then',
      'Cost then',
      (f) => f.then,
      (v) => cost(v, 2),
      { hint: 'at the target', width: 5, priority: 5 },
    ),
    numbers('sharethen', 'Share then', (f) => f.shareThen, share, { width: 5.5, priority: 1 }),
    numbers('locations', 'Locations', (f) => f.locations, String, { width: 5, priority: 6 }),
  ];
}
