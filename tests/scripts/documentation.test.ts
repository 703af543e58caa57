import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readNavigation, readPages, resolveLink } from '../../scripts/documentation/pages.mjs';

// The pages of docs/ as they are linked: on GitHub by their files, on the site by the addresses made of these.

const pages = readPages('docs');
const byPath = new Map(pages.map((page) => [page.path, page]));

describe('every link of the documentation leads to a file and an anchor that exist', () => {
  test.each(pages.map((page) => [page.path, page] as const))('%s', (path, page) => {
    const broken = page.links.flatMap(({ target }) => {
      const resolved = resolveLink(path, target!);
      if (!resolved) return [];
      const linked = byPath.get(resolved.file);
      const isThere = linked !== undefined || existsSync(join('docs', normalize(resolved.file)));
      const hasAnchor = !resolved.anchor || !linked || linked.headings.some(({ id }) => id === resolved.anchor);
      return isThere && hasAnchor ? [] : [target];
    });
    expect(broken).toEqual([]);
  });
});

test('links of files outside of docs lead to pages and anchors that exist', () => {
  const outside = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples'].flatMap((name) => readLinks(name));
  expect(outside.length).toBeGreaterThan(20);
  const broken = outside.filter(({ file, anchor }) => {
    const page = byPath.get(file);
    return !page || (anchor !== undefined && !page.headings.some(({ id }) => id === anchor));
  });
  expect(broken).toEqual([]);
});

/** The links of a file or of the files in a folder that lead to pages of `docs/`. */
function readLinks(name: string): { readonly from: string; readonly file: string; readonly anchor?: string }[] {
  const found = name.endsWith('.md')
    ? readPages('.', [name]).map((page) => ({ page, folder: '.' }))
    : readPages(name).map((page) => ({ page, folder: name }));
  return found.flatMap(({ page, folder }) =>
    page.links.flatMap(({ target }) => {
      const resolved = resolveLink(page.path, target!);
      const file = resolved && normalize(join(folder, resolved.file));
      if (!file?.startsWith('docs/') || !file.endsWith('.md')) return [];
      return [{ from: page.path, file: file.slice('docs/'.length), anchor: resolved!.anchor }];
    }),
  );
}

test('the navigation has every page once', () => {
  const listed = readNavigation(pages).flatMap(({ entries }) => entries.map(({ path }) => path));
  expect(listed.sort()).toEqual(pages.map(({ path }) => path).filter((path) => path !== 'README.md'));
});

test('no line of a table is longer than a screen shows', () => {
  const long = pages
    .filter(({ path }) => path.startsWith('reference/'))
    .flatMap(({ path, source }) =>
      source
        .split('\n')
        .filter((line) => line.startsWith('|') && line.length > 400)
        .map((line) => `${path}: ${line.slice(0, 60)}`),
    );
  expect(long).toEqual([]);
});
