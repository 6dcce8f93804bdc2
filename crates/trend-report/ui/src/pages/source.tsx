/** The program's files by cost, and a file's code with what its lines cost. */

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { cost, plural, share } from '../format/number';
import { sourceText, type SourceText } from '../source/chunks';
import { Code } from '../source/code';
import { fileCosts, hotLines, lineCosts, type LineCost } from '../source/costs';
import { sourceOf } from '../source/load';
import { Panel } from '../source/panel';
import { shownLines } from '../source/text';
import { jump, Toolbar } from '../source/toolbar';
import { Tree } from '../source/tree-view';
import { href, param, setParams } from '../state/route';
import { page } from '../state/store';
import { useKeys } from '../view/keys';
import { Name } from '../view/parts';

const lineParam = param('line');

export function Source({ id }: { id: string }) {
  if (id === '') {
    return (
      <div class="files">
        <h1>Source</h1>
        <p class="soft">
          Files by cost: what their locations cost, each in the run where it costs most, and the steepest
          growth class that matters in them.
          {isPartial() && ' In italics: files whose text this page does not carry.'}
        </p>
        <Tree current="" />
      </div>
    );
  }
  return <File key={id} file={id} />;
}

function isPartial(): boolean {
  const { data, sourceIndex } = page.value;
  return !data.served && fileCosts(page.value).some((f) => !sourceIndex.has(f.file));
}

/** A text, or why there is none. */
type Loaded = { source: SourceText } | { why: string } | null;

function File({ file }: { file: string }) {
  const loaded = useSignal<Loaded>(null);
  const { data, findings } = page.value;
  const costs = useMemo(() => lineCosts(page.value, file), [page.value, file]);
  const hot = useMemo(
    () => hotLines(costs, data.costly_share * findings.total.max_cost),
    [costs, data, findings],
  );
  useEffect(() => {
    let stale = false;
    sourceOf(page.value, file).then(
      (text) => {
        if (stale) return;
        const source = sourceText(shownLines(text));
        // The same text again, of a study that grew: what is shown stays where it is.
        const shown = loaded.value && 'source' in loaded.value ? loaded.value.source : null;
        if (shown?.text !== source.text) loaded.value = { source };
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
  useKeys({
    n: () => jump(hot, line, 1),
    N: () => jump(hot, line, -1),
    Escape: () => {
      if (line !== null) setParams({ line: null });
    },
  });
  const state = loaded.value;
  const source = state && 'source' in state ? state.source : null;
  return (
    <div class={line === null ? 'browser' : 'browser split'}>
      <details class="side" open={matchMedia('(min-width: 100rem)').matches}>
        <summary>Files</summary>
        <Tree current={file} />
      </details>
      <article>
        <Heading file={file} costs={costs} />
        {source && (
          <>
            <Toolbar hot={hot} line={line} />
            <Code file={file} source={source} costs={costs} hot={hot} line={line} />
          </>
        )}
        {state && 'why' in state && (
          <>
            <p class="failure">
              {state.why}{' '}
              {costs.length > 0 && (
                <a href={href('functions', '', { path: file })}>
                  What its functions cost is known all the same.
                </a>
              )}
            </p>
          </>
        )}
      </article>
      {line !== null && state && (
        <Panel
          file={file}
          line={line}
          text={source?.lines[line - 1] ?? null}
          cost={costs.find((c) => c.line === line)}
        />
      )}
    </div>
  );
}

function Heading({ file, costs }: { file: string; costs: LineCost[] }) {
  const row = useMemo(() => fileCosts(page.value).find((f) => f.file === file), [page.value, file]);
  const never = costs.filter((c) => c.cost === 0).length;
  return (
    <header class="filehead">
      <h1>
        <Name text={file} columns={90} />
      </h1>
      <p class="soft">
        {row
          ? `${cost(row.cost)} in ${plural(row.locations, 'location')}, ${share(row.share)} of all files; ` +
            `${plural(costs.length, 'counted line')}${never > 0 ? `, ${never.toLocaleString('en-US')} of them never executed` : ''}`
          : 'Nothing was counted in this file.'}
      </p>
    </header>
  );
}
