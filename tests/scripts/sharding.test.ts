import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../support/database';

test('`npm run sharding` says of each table whether its rows and its key have the company', async () => {
  const database = await createTestDatabase(inject('demo'));
  try {
    const { stdout } = await promisify(execFile)('npx', ['tsx', 'scripts/sharding.ts', database.url]);
    const cells = (name: string) =>
      stdout
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\` |`))
        ?.split(' | ')
        .slice(1, 3);
    expect(cells('test_cases')).toEqual(['yes', 'no']);
    expect(cells('countries')).toEqual(['no', 'no']);
    expect(stdout).toMatch(/\d+ tables: \d+ have the company in their rows, \d+ in their key;/);
  } finally {
    await database.close();
  }
});
