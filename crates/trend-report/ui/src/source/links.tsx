/** From a line to elsewhere: the clipboard, an editor. */

import { useSignal } from '@preact/signals';

import { hasEditor } from '../data/live';
import { visible } from '../format/text';
import { CopyButton } from '../view/copy';

export function LineLinks({ file, line }: { file: string; line: number }) {
  return (
    <div class="links wrap">
      <CopyButton label="Copy file:line" text={() => `${file}:${line}`} />
      <CopyButton label="Copy link" text={() => location.href} />
      {hasEditor.value && <OpenButton file={file} line={line} />}
    </div>
  );
}

/** Asks the trend-prof that serves the page to open an editor; its answer is said where it fails. */
function OpenButton({ file, line }: { file: string; line: number }) {
  const said = useSignal('');
  const open = async () => {
    said.value = '';
    try {
      const answer = await fetch('/api/open', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ file, line }),
      });
      said.value = answer.ok ? 'opened' : `not opened: ${visible((await answer.text()).slice(0, 300))}`;
    } catch {
      said.value = 'not opened: trend-prof no longer serves this page';
    }
  };
  return (
    <span class="copy">
      <button type="button" onClick={() => void open()}>
        Open in editor
      </button>
      <span role="status">{said.value}</span>
    </span>
  );
}
