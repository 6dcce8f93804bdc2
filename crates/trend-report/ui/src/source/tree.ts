/** Files as a tree of folders, each level by falling cost. */

import type { FileCost } from './costs';

export interface Folder {
  /** What is shown: folders with a single folder in them are one entry. */
  name: string;
  /** The whole path; unique, and what is kept in the address when it is closed. */
  path: string;
  cost: number;
  share: number;
  folders: Folder[];
  files: (FileCost & { name: string })[];
}

export function fileTree(files: FileCost[]): Folder {
  const root = folder('', '');
  for (const file of files) {
    const parts = file.file.split('/');
    const name = parts.pop() ?? file.file;
    let here = root;
    let path = '';
    for (const [i, part] of parts.entries()) {
      path += i === 0 ? part : `/${part}`;
      let next = here.folders.find((f) => f.path === path);
      if (!next) here.folders.push((next = folder(i === 0 && part === '' ? '/' : part, path)));
      here.cost += file.cost;
      here.share += file.share;
      here = next;
    }
    here.cost += file.cost;
    here.share += file.share;
    here.files.push({ ...file, name });
  }
  return squeeze(root);
}

function folder(name: string, path: string): Folder {
  return { name, path, cost: 0, share: 0, folders: [], files: [] };
}

function squeeze(of: Folder): Folder {
  let here = of;
  while (here.files.length === 0 && here.folders.length === 1 && here.folders[0]) {
    const [only] = here.folders;
    const name = here.name === '' || here.name === '/' ? here.name + only.name : `${here.name}/${only.name}`;
    here = { ...only, name };
  }
  const folders = here.folders.map(squeeze).sort((a, b) => b.cost - a.cost || (a.name < b.name ? -1 : 1));
  return { ...here, folders };
}
