/** The files as a tree, what costs most first; folders close, and stay so in the address. */

import { useMemo } from 'preact/hooks';

import { cost, plural, share } from '../format/number';
import { visible } from '../format/text';
import { href, param, setParams } from '../state/route';
import { feature, page } from '../state/store';
import { ClassText, Name } from '../view/parts';
import { fileCosts, shownModel } from './costs';
import { shortGrowth } from './gutter';
import { fileTree, type Folder } from './tree';

const closedParam = param('closed');
const SEPARATOR = '|';

export function Tree({ current }: { current: string }) {
  const tree = useMemo(() => fileTree(fileCosts(page.value)), [page.value]);
  const closed = new Set(closedParam.value?.split(SEPARATOR) ?? []);
  const toggle = (path: string) => {
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setParams({ closed: [...next].join(SEPARATOR) });
  };
  if (tree.files.length + tree.folders.length === 0) return <p class="soft">No location has a file.</p>;
  return (
    <ul class="tree">
      <FolderItem folder={tree} closed={closed} toggle={toggle} current={current} />
    </ul>
  );
}

interface FolderProps {
  folder: Folder;
  closed: Set<string>;
  toggle: (path: string) => void;
  current: string;
}

function FolderItem({ folder, closed, toggle, current }: FolderProps) {
  const open = !closed.has(folder.path);
  const inside = (
    <ul>
      {folder.folders.map((f) => (
        <FolderItem key={f.path} folder={f} closed={closed} toggle={toggle} current={current} />
      ))}
      {folder.files.map((f) => (
        <FileItem key={f.file} file={f} current={current} />
      ))}
    </ul>
  );
  if (folder.name === '') return <li>{inside}</li>;
  return (
    <li>
      <button type="button" class="folder" aria-expanded={open} onClick={() => toggle(folder.path)}>
        <Name text={`${folder.name}/`.replace('//', '/')} columns={44} />
        <Share part={folder.share} amount={folder.cost} />
      </button>
      {open && inside}
    </li>
  );
}

function FileItem({ file, current }: { file: Folder['files'][number]; current: string }) {
  const model = file.steepest === null ? undefined : shownModel(page.value, file.steepest, feature.value);
  const carried = page.value.data.served || page.value.sourceIndex.has(file.file);
  const growth = shortGrowth(model);
  const steep = model?.growth?.decided === true && model.growth.superlinear === true;
  return (
    <li>
      <a
        class={carried ? 'file' : 'file uncarried'}
        href={file.file === '' ? undefined : href('source', file.file, { closed: closedParam.value })}
        aria-current={file.file === current && current !== '' ? 'page' : undefined}
        title={`${visible(file.file).slice(0, 500)}: ${plural(file.locations, 'location')}${carried ? '' : '; its text is not in this page'}`}
      >
        <Name text={file.name || '(no file)'} columns={44} />
        <span class={`class ${steep ? 'steep' : ''} ${model?.growth?.decided ? '' : 'open'}`}>
          <ClassText text={growth} />
        </span>
        <Share part={file.share} amount={file.cost} />
      </a>
    </li>
  );
}

function Share({ part, amount }: { part: number; amount: number }) {
  return (
    <span
      class="share"
      style={{ '--share': part }}
      title={`${cost(amount)}, each location in the run where it costs most`}
    >
      {share(part)}
    </span>
  );
}
