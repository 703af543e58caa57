import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { leanGrid } from '../../scripts/lean-grid.mjs';

const grid = resolve('node_modules/@mui/x-data-grid');
const files = readdirSync(grid, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => ({ id: join(grid, file), code: readFileSync(join(grid, file), 'utf8') }));
const parts = readdirSync(resolve('node_modules/@mui/material'));

const bundler = {
  error: (message: string): never => {
    throw new Error(message);
  },
};

describe('the grid without what no list shows', () => {
  let plugin: ReturnType<typeof leanGrid>;
  beforeEach(() => {
    plugin = leanGrid();
  });

  /** Gives the plugin the installed grid and its parts as a build does, but for one of them. */
  function build(missing?: string): void {
    for (const { id, code } of files)
      if (basename(id, '.mjs') !== missing) plugin.transform.call(bundler, code, id.replaceAll('\\', '/'));
    for (const part of parts) {
      const id = plugin.resolveId(`@mui/material/${part}`, join(grid, 'material/index.mjs'));
      if (id !== null && part !== missing) plugin.load(id);
    }
    plugin.generateBundle.call(bundler);
  }

  test('is made from the grid that is installed', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(() => build()).not.toThrow();
  });

  test.each(['GridFilterPanel', 'useGridPrintExport', 'Autocomplete'])('is not built without %s', (name) => {
    expect(() => build(name)).toThrow(`The grid has no ${name} any more; see scripts/lean-grid.mjs.`);
  });

  test('is not built where nothing of it is found', () => {
    expect(() => plugin.generateBundle.call(bundler)).toThrow(/^The grid has no GridFilterPanel, .*, ToggleButton any/);
  });

  test.each([
    ['export const One = 1;\nexport function two() {}\nexport { three, four as five };', 'One two three five'],
    ['module.exports = { One: 1 };', undefined],
    ['export default One;', undefined],
  ])('exports what a part of it exports, or is not built: %j', (code, names) => {
    const transformed = () => plugin.transform.call(bundler, code, `${grid}/components/GridToolbar.mjs`);
    if (names === undefined) return expect(transformed).toThrow("No exports are found in the grid's GridToolbar");
    const exported = names.split(' ').map((name) => `absent as ${name}`);
    expect(transformed()).toBe(`const absent = () => null;\nexport { ${exported.join(', ')} };`);
  });
});
