import { expect, test } from 'vitest';
import { sources } from './sources';

test('changes are added to the history where those of watched records are noted; others add what was created or deleted', () => {
  const writers = sources
    // The demo's records have nobody who watches them yet.
    .filter(({ path }) => !/\/migrations\/|history\/changes-sql\.ts$|^src\/product\/demo\//.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/insert into assay\.history|insertInto\('history'\)/g)].map(({ index }) => ({
        path,
        statement: text.slice(index, index + 300),
      })),
    );
  expect(writers.length).toBeGreaterThan(3);
  expect(writers.filter(({ statement }) => !/'(created|deleted)'/.test(statement))).toEqual([]);
});
