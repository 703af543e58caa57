import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transaction } from '../../../src/server/database/database';
import { Conflict } from '../../../src/server/errors/errors';
import { inSavepoint, runAndUndo } from '../../../src/server/records/write/savepoints';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let scratch: TestDatabase;
beforeAll(async () => {
  scratch = await createTestDatabase();
  await scratch.database.pool.query('create table written (name text)');
});
afterAll(() => scratch.close());

/** The rows that are stored when a transaction has written them, in parts of parts. */
async function rowsAfter(write: (trx: Transaction, add: (name: string) => Promise<void>) => Promise<unknown>) {
  await scratch.database.pool.query('delete from written');
  await scratch.database.transaction(async (trx) => {
    await write(trx, async (name) => void (await sql`insert into written values (${name})`.execute(trx)));
  });
  const { rows } = await scratch.database.pool.query<{ name: string }>('select name from written order by name');
  return rows.map(({ name }) => name);
}

const refuse = () => {
  throw new Conflict('No.');
};

test('a part that is refused after a part of it was refused leaves nothing', async () => {
  const rows = await rowsAfter(async (trx, add) => {
    await add('before');
    await inSavepoint(trx, async () => {
      await add('outer');
      await inSavepoint(trx, async () => {
        await add('inner');
        refuse();
      });
      await add('outer, later');
      refuse();
    });
    await add('after');
  });
  expect(rows).toEqual(['after', 'before']);
});

test('a part is stored although a part of it was refused', async () => {
  const rows = await rowsAfter(async (trx, add) => {
    await inSavepoint(trx, async () => {
      await add('outer');
      await inSavepoint(trx, async () => {
        await add('inner');
        refuse();
      });
    });
  });
  expect(rows).toEqual(['outer']);
});

test('what is undone at once leaves what was written around it', async () => {
  const rows = await rowsAfter(async (trx, add) => {
    await inSavepoint(trx, async () => {
      await add('outer');
      await runAndUndo(trx, () => runAndUndo(trx, () => add('undone')));
      await runAndUndo(trx, () => add('undone, too'));
      await add('outer, later');
    });
  });
  expect(rows).toEqual(['outer', 'outer, later']);
});

test('callbacks of a part that is refused or undone are not called after the commit', async () => {
  const calls: string[] = [];
  await scratch.database.transaction(async (trx) => {
    const call = (name: string) => scratch.database.afterCommit(trx, () => calls.push(name));
    call('before');
    await inSavepoint(trx, async () => {
      call('outer');
      await inSavepoint(trx, async () => {
        call('inner');
        refuse();
      });
    });
    await runAndUndo(trx, async () => call('undone'));
    call('after');
  });
  expect(calls).toEqual(['before', 'outer', 'after']);
});
