/** Lists the program's files by cost, and shows a file's code with the costs of its lines. */

import { useMemo } from 'preact/hooks';

import { cost, grouped, plural, share } from '../format/number';
import { visible } from '../format/text';
import { wholeThen } from '../overview/answer';
import { sizeThen } from '../overview/views';
import { Callers } from '../row/callers';
import { Code, percent } from '../source/code';
import {
  type FileCost,
  fileCosts,
  hotLines,
  type LineCost,
  lineCosts,
  nextLine,
  shownModel,
  timesThen,
} from '../source/costs';
import { useFile } from '../source/load';
import { Panel } from '../source/panel';
import { feature, givenText, href, page, param, setParams, target } from '../state/state';
import { type Column, column, numbers } from '../table/column';
import { Grid } from '../table/grid';
import { useKeys } from '../view/keys';
import { GrowthBadge, Linked, Name } from '../view/parts';

const lineParam = param('line');

export function Source({ id }: { id: string }) {
  const times = useMemo(() => timesThen(page.value, target.value), [page.value, target.value]);
  const files = useMemo(() => fileCosts(page.value, times), [page.value, times]);
  if (id !== '') return <File key={id} file={id} files={files} times={times} />;
  return (
    <>
      <header class="page-head wrap">
        <h1>Source</h1>
        <p class="soft">Files by the predicted cost of their lines at {givenText()}.</p>
      </header>
      <FileList files={files} />
    </>
  );
}

interface FileProps {
  file: string;
  files: ReturnType<typeof fileCosts>;
  times: number[];
}

function File({ file, files, times }: FileProps) {
  const loaded = useFile(file);
  const { data, findings } = page.value;
  const costs = useMemo(() => lineCosts(page.value, file, times), [page.value, file, times]);
  const whole = { now: findings.total.max_cost, then: wholeThen.value?.cost ?? findings.total.max_cost };
  const hot = useMemo(() => hotLines(costs, data.costly_share * whole.then), [costs, data, whole.then]);
  const asked = Number(lineParam.value);
  const line = Number.isInteger(asked) && asked > 0 ? asked : null;
  const walk = (lines: number[], way: 1 | -1) => {
    const next = nextLine(lines, line ?? 0, way);
    if (next !== null) setParams({ line: next });
  };
  const counted = costs.map((c) => c.line);
  useKeys({
    n: () => walk(hot, 1),
    N: () => walk(hot, -1),
    ':': () => document.querySelector<HTMLInputElement>('#line-number')?.focus(),
    ...(line === null
      ? {}
      : {
          ArrowDown: () => walk(counted, 1),
          ArrowUp: () => walk(counted, -1),
          Escape: () => setParams({ line: null }),
        }),
  });
  const why = loaded?.why ?? null;
  const lines = useMemo(
    () =>
      loaded && why === null
        ? loaded.lines.map((text, i) => ({ number: i + 1, text }))
        : costs.map((c) => ({ number: c.line, text: '' })),
    [loaded?.lines, why, costs],
  );
  const own = files.find((f) => f.file === file);
  const hottest = costs.find((c) => c.line === hot[0])?.functions ?? [];
  return (
    <div class={line === null ? 'browser' : 'browser split'}>
      <FileStrip files={files} current={file} />
      <article>
        <header class="filehead wrap">
          <h1>
            <Name text={file} columns={60} />
          </h1>
          <p class="soft">{shares(own, givenText())}</p>
          <Walk hot={hot} line={line} walk={walk} />
        </header>
        {why !== null && (
          <p class="failure">
            {why} {costs.length > 0 && 'Counts by line are below.'}
          </p>
        )}
        {loaded && (lines.length > 0 || why === null) && (
          <Code {...{ file, lines, costs, hot, line, whole }} target={sizeThen()} />
        )}
        {loaded && <Callers of={hottest.map((name) => ({ name, file }))} />}
        <p class="note">
          now = most expensive run; predictions scale a line with its cluster; % of the whole program ·{' '}
          <kbd>n</kbd> <kbd>N</kbd> hot line · <kbd>↑</kbd> <kbd>↓</kbd> line · <kbd>:</kbd> line number ·{' '}
          <kbd>↵</kbd> its function
          {costs.length > 0 && (
            <>
              {' '}
              · <a href={href('functions', '', { path: file })}>its functions</a>
            </>
          )}
        </p>
      </article>
      {line !== null && loaded && (
        <Panel
          file={file}
          line={line}
          text={lines.find((l) => l.number === line)?.text ?? null}
          cost={costs.find((c: LineCost) => c.line === line)}
        />
      )}
    </div>
  );
}

interface WalkProps {
  hot: number[];
  line: number | null;
  walk: (lines: number[], way: 1 | -1) => void;
}

const WAYS = [
  [-1, '↑', 'N', 'previous'],
  [1, '↓', 'n', 'next'],
] as const;

/** Steps through the hot lines, and jumps to a line by its number. */
function Walk({ hot, line, walk }: WalkProps) {
  const at = line === null ? -1 : hot.indexOf(line);
  return (
    <div class="tools wrap" role="group" aria-label="hot lines">
      {WAYS.map(([way, arrow, key, which]) => (
        <button
          key={key}
          type="button"
          class="quiet"
          disabled={hot.length === 0}
          onClick={() => walk(hot, way)}
          title={`${which} hot line`}
        >
          {arrow} <kbd>{key}</kbd>
        </button>
      ))}
      <span class="soft" role="status">
        {hot.length === 0
          ? 'no hot lines'
          : at < 0
            ? plural(hot.length, 'hot line')
            : `hot line ${at + 1} of ${hot.length}`}
      </span>
      <input
        id="line-number"
        inputMode="numeric"
        size={5}
        placeholder=": line"
        aria-label="go to a line (:)"
        onKeyDown={(e) => {
          const to = Number(e.currentTarget.value);
          if (e.key !== 'Enter' || !Number.isInteger(to) || to < 1) return;
          setParams({ line: to }, 'push');
          e.currentTarget.value = '';
          e.currentTarget.blur();
        }}
      />
    </div>
  );
}

/** Maximum number of files in the strip; the page of all files lists the rest. */
const IN_STRIP = 12;

function FileStrip({ files, current }: { files: FileCost[]; current: string }) {
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

/** Writes `24.0 % of all files now, 30.1 % at bytes = 510 MB`. */
function shares(file: FileCost | undefined, then: string) {
  if (!file || file.cost === 0) return 'Nothing was counted in this file.';
  return (
    <>
      {share(file.share)} of all files now
      {then !== '' && (
        <>
          , <b>{share(file.shareThen)}</b> at <bdi>{then}</bdi>
        </>
      )}
    </>
  );
}

function FileList({ files }: { files: FileCost[] }) {
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
  const two = (v: number) => cost(v, 2);
  const carried = ({ file }: FileCost) => page.value.data.served || page.value.sourceIndex.has(file);
  const model = (f: FileCost) => shownModel(page.value, f.steepest, feature.value);
  return [
    column('file', 'file', [12, 0, 1], {
      hint: 'in italics: its text is not in this page',
      value: (f) => f.file,
      render: (f) => (
        <span class={carried(f) ? 'ellipsis' : 'ellipsis uncarried'}>
          <Linked
            stop={false}
            to={f.file === '' ? null : href('source', f.file)}
            text={f.file || '(no file)'}
            columns={70}
          />
        </span>
      ),
    }),
    column('growth', 'growth', [8, 3], {
      hint: 'of its fastest-growing function',
      value: (f) => model(f)?.growth?.short ?? null,
      render: (f) => <GrowthBadge model={model(f)} />,
    }),
    numbers('cost', 'cost now', 'each location in the run where it costs most', [5, 4], (f) => f.cost, cost),
    numbers('share', 'share', 'of all files', [4.6, 2], (f) => f.share, share),
    numbers('then', 'cost then', 'at the target', [5, 5], (f) => f.then, two),
    numbers('sharethen', 'share then', 'of all files at the target', [5.5, 1], (f) => f.shareThen, share),
    numbers('locations', 'locations', 'that were counted', [5, 6], (f) => f.locations, String),
  ];
}
