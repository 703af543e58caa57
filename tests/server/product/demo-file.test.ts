import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readProduct } from '../../../src/server/read-product';
import { accounts, startDemoProgram } from '../../support/program';

// The file demo.json of a product of JSON alone.

const folder = mkdtempSync(join(tmpdir(), 'demo-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a product of bills for goods, with these bills as its demo data. */
function start(bills: readonly object[]) {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  const write = (path: string, content: object) => writeFileSync(join(folder, path), JSON.stringify(content));
  write('resources/goods.json', {
    name: 'goods',
    labels: { one: 'Good', many: 'Goods' },
    fields: { name: { type: 'text', required: true } },
  });
  write('resources/bills.json', {
    name: 'bills',
    labels: { one: 'Bill', many: 'Bills' },
    fields: {
      name: { type: 'text', required: true },
      lines: { type: 'rows', fields: { good_id: { type: 'relation', to: 'goods' }, sold_on: { type: 'date' } } },
    },
  });
  write('demo.json', {
    company: { name: 'Lindgren', time_zone: 'UTC', city: 'Malmö', country: 'Sweden' },
    accounts: { manager: { email: accounts.manager, role_id: 3, first_name: 'Tomas', last_name: 'Novak' } },
    records: [
      { resource: 'goods', rows: [{ $key: 'lamp', name: 'Lamp' }] },
      { resource: 'bills', rows: bills },
    ],
  });
  return startDemoProgram({ product: readProduct(folder) });
}

test('names records by their keys and days from today in the rows of a record, too', async () => {
  const started = await start([{ name: 'First', lines: [{ good_id: 'lamp', sold_on: '$today-1d' }] }]);
  try {
    const manager = await started.signIn(accounts.manager);
    const { body } = await manager<object>('GET', '/bills/1');
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    expect(body).toMatchObject({ lines: [{ good_id: 1, sold_on: yesterday }] });
  } finally {
    await started.close();
  }
});

test.each(['lamp', 'manager'])('is refused where the key of a row is used twice: %s', async (key) => {
  await expect(start([{ $key: key, name: 'First' }])).rejects.toThrow(
    `demo.json: bills, row 1: the key "${key}" is used twice: give each row and account a key of its own.`,
  );
});
