import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sheets = ['src/app', 'custom-screens'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => [`${folder}/${name.replaceAll('\\', '/')}`, readFileSync(`${folder}/${name}`, 'utf8')] as const),
);

/** Restates classes of others for contrast themes alone, by weights that do not depend on the order of sheets. */
const contrast = 'src/app/theme/forced-colors.css';

// Sheets of screens stay once they were loaded: what two folders say of one class depends on who was visited first.
test('no two folders style the same class', () => {
  expect(sheets.length).toBeGreaterThan(20);
  expect(shared(sheets.filter(([path]) => path !== contrast))).toEqual([]);
});

test.each([
  ['.ring { color: red }', '.ring { margin: 0 }', ['ring']],
  ['@media (max-width: 1px) { .ring { color: red } }', 'a, .ring:hover { margin: 0 }', ['ring']],
  ['.ring { color: red }', '.box .ring, .ring.box { margin: 0 }', []],
  ['.ring { color: red }', '/* .ring { } */ .rings { margin: 0 }', []],
])('%s and %s', (one, other, expected) => {
  const found = shared([
    ['src/app/one/a.css', one],
    ['src/app/other/b.css', other],
  ]);
  expect(found.map((line) => line.split(':')[0])).toEqual(expected);
});

/** The classes that sheets of more than one folder select by themselves, each with its folders. */
function shared(among: readonly (readonly [path: string, text: string])[]): string[] {
  const folders = new Map<string, Set<string>>();
  for (const [path, text] of among)
    for (const [, selectors] of text.replace(/\/\*[^]*?\*\//g, '').matchAll(/([^{};]+)\{/g))
      for (const selector of selectors!.split(',')) {
        const name = /^\.([\w-]+)(::?[\w-]+)?$/.exec(selector.trim())?.[1];
        if (name) folders.set(name, (folders.get(name) ?? new Set()).add(folderOf(path)));
      }
  return [...folders].filter(([, of]) => of.size > 1).map(([name, of]) => `${name}: ${[...of].join(', ')}`);
}

/**
 * `src/app/fields/permissions/a.css` is of the folder `src/app/fields`; `src/app/screens/jobs/a.css` and
 * `custom-screens/setup/a.css` are of that screen.
 */
function folderOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('src/app/screens/') ? 4 : path.startsWith('src/') ? 3 : 2)
    .join('/');
}
