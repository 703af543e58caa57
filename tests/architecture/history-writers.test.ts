import { expect, test } from 'vitest';
import { sources } from './sources';

test('changes are added to the history where those of watched records are noted; others add what was created or deleted', () => {
  const writers = sources
    .filter(({ path }) => !path.includes('/migrations/') && !path.endsWith('history/changes-sql.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/insert into assay\.history/g)].map(({ index }) => ({
        path,
        statement: text.slice(index, index + 400),
      })),
    );
  expect(writers.length).toBeGreaterThan(3);
  expect(writers.filter(({ statement }) => !/'(created|deleted)'/.test(statement))).toEqual([]);
});
