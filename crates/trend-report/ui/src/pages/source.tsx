/** The program's files by cost, and a file's code with what its lines cost. */

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { wholeThen } from '../overview/answer';
import { plural, size } from '../format/number';
import { Callers } from '../row/places';
import { Code, type Line } from '../source/code';
import { fileCosts, hotLines, lineCosts, nextLine, timesThen, type LineCost } from '../source/costs';
import { FileList, FileStrip, shares } from '../source/files';
import { sourceOf } from '../source/load';
import { Panel } from '../source/panel';
import { shownLines } from '../source/text';
import { href, param, setParams } from '../state/route';
import { page } from '../state/store';
import { givenText, moved, target } from '../state/target';
import { useKeys } from '../view/keys';
import { Name } from '../view/parts';

const lineParam = param('line');

export function Source({ id }: { id: string }) {
  const times = useMemo(() => timesThen(page.value, target.value), [page.value, target.value]);
  const files = useMemo(() => fileCosts(page.value, times), [page.value, times]);
  if (id !== '') return <File key={id} file={id} files={files} times={times} />;
  return (
    <>
      <header class="page-head wrap">
        <h1>Source</h1>
        <p class="soft">Files by what their lines cost at {givenText()}.</p>
      </header>
      <FileList files={files} />
    </>
  );
}

/** A text, or why there is none. */
type Loaded = { text: string; lines: Line[] } | { why: string } | null;

interface FileProps {
  file: string;
  files: ReturnType<typeof fileCosts>;
  times: number[];
}

function File({ file, files, times }: FileProps) {
  const loaded = useSignal<Loaded>(null);
  const { data, findings } = page.value;
  const costs = useMemo(() => lineCosts(page.value, file, times), [page.value, file, times]);
  const whole = { now: findings.total.max_cost, then: wholeThen.value?.cost ?? findings.total.max_cost };
  const hot = useMemo(() => hotLines(costs, data.costly_share * whole.then), [costs, data, whole.then]);
  useEffect(() => {
    let stale = false;
    sourceOf(page.value, file).then(
      (text) => {
        // The same text again, of a study that grew: what is shown stays where it is.
        const now = loaded.peek();
        if (stale || (now && 'text' in now && now.text === text)) return;
        loaded.value = { text, lines: shownLines(text).map((text, i) => ({ number: i + 1, text })) };
      },
      (error: unknown) => {
        if (!stale) loaded.value = { why: error instanceof Error ? error.message : String(error) };
      },
    );
    return () => {
      stale = true;
    };
  }, [file, page.value]);

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
  const state = loaded.value;
  const lines = useMemo(
    () => (state && 'lines' in state ? state.lines : costs.map((c) => ({ number: c.line, text: '' }))),
    [state, costs],
  );
  const hottest = costs.find((c) => c.line === hot[0])?.functions ?? [];
  const place = moved.value;
  return (
    <div class={line === null ? 'browser' : 'browser split'}>
      <FileStrip files={files} current={file} />
      <article>
        <header class="filehead wrap">
          <h1>
            <Name text={file} columns={60} />
          </h1>
          <p class="soft">
            {shares(
              files.find((f) => f.file === file),
              givenText(),
            )}
          </p>
          <Walk hot={hot} line={line} walk={walk} />
        </header>
        {state && 'why' in state && (
          <p class="failure">
            {state.why} {costs.length > 0 && 'Counts by line are below.'}
          </p>
        )}
        {state && (lines.length > 0 || 'lines' in state) && (
          <Code
            {...{ file, lines, costs, hot, line, whole }}
            target={place && findings.features.length === 1 ? size(place.at) : givenText()}
          />
        )}
        {state && <Callers of={hottest} />}
        <p class="note">
          now: the most in a run; at the target a line costs as much more as its cluster; % of the whole ·{' '}
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
      {line !== null && state && (
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

/** The way through the hot lines, and to any line. */
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
