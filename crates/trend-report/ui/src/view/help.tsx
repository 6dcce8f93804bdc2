/** The keys, over any page. */

import { useEffect, useRef } from 'preact/hooks';

import { href } from '../state/route';
import { page } from '../state/store';
import { HELP, helpOpen } from './keys';

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  const close = () => (helpOpen.value = false);
  return (
    <dialog
      class="help"
      ref={dialog}
      aria-labelledby="help-title"
      onClose={close}
      onClick={(e) => {
        if (e.target === e.currentTarget) close();
      }}
    >
      {open && (
        <div>
          <h2 id="help-title">Keys</h2>
          <KeyList />
          <p class="note">{page.value.data.legend}</p>
          <p class="row wrap">
            <a href={href('method')} onClick={close}>
              What the words and numbers mean
            </a>
            <button type="button" onClick={close}>
              Close
            </button>
          </p>
        </div>
      )}
    </dialog>
  );
}

export function KeyList() {
  return (
    <dl class="keys">
      {HELP.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            {keys.split(/ +/).map((k) => (
              <kbd key={k}>{k}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
