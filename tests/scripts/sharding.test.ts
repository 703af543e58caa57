import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database';

interface Outcome {
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(inject('demo'));
});
afterAll(() => database.close());

const run = (script: string, ...options: string[]): Promise<Outcome> =>
  promisify(execFile)('npx', ['tsx', `scripts/${script}.ts`, database.url, ...options]).catch(
    (error: unknown) => error as Outcome,
  );
const query = async (text: string) =>
  (await sql.raw<Record<string, unknown>>(text).execute(database.database.kysely)).rows;

describe('`npm run sharding`', () => {
  test('says where each table goes, and that nothing speaks against it', async () => {
    const { stdout, code } = await run('sharding');
    const cells = (name: string) =>
      stdout
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\` |`))
        ?.split(' | ')
        .slice(1);
    expect(cells('public.test_cases')).toEqual(['by company', 'yes', '– |']);
    expect(cells('public.projects__user_ids')).toEqual(['by company', 'yes', '– |']);
    expect(cells('assay.history')).toEqual(['by company', 'yes', '– |']);
    expect(cells('public.countries')).toEqual(['everywhere', 'yes', '– |']);
    expect(cells('assay.tokens')).toEqual(['coordinator', 'yes', '– |']);
    expect(stdout.split('\n').filter((line) => line.includes('| no |'))).toEqual([]);
    expect(stdout).toMatch(/\d+ tables: .* 0 do not fit\./);
    expect(code).toBeUndefined();
  });

  test.each([
    [
      'create unique index odd on public.tasks (name, id)',
      'drop index public.odd',
      'unique (id, name) without the company',
    ],
    [
      'create trigger odd before update on public.tasks for each row execute function suppress_redundant_updates_trigger()',
      'drop trigger odd on public.tasks',
      'has triggers: odd',
    ],
    [
      'alter table public.countries add column task bigint, add column site bigint, add constraint odd foreign key (task, site) references public.tasks (id, site_id)',
      'alter table public.countries drop constraint odd',
      'refers to public.tasks without the company',
    ],
    ['create table assay.odd (id bigint primary key)', 'drop table assay.odd', 'its key has no company'],
  ])('names what does not fit: %s', async (change, undo, problem) => {
    await query(change);
    const { stdout, code } = await run('sharding');
    await query(undo);
    expect(stdout).toContain(problem);
    expect(stdout).toContain('| no |');
    expect(code).toBe(1);
  });
});

describe('`npm run distribute`', () => {
  test('prints the statements in their order: copies first, what is spread by company after them, and the keys last', async () => {
    const keysBefore = await query(
      `select conname, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'f' order by 1, 2`,
    );
    const { stdout } = await run('distribute');
    const statements = stdout.trim().split('\n');
    const kinds = statements.map((statement) =>
      statement
        .replace(/^alter table .* (drop|add) constraint .*$/, '$1 key')
        .replace(/^select (create_\w+)\(.*$/, '$1'),
    );
    expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual([
      'drop key',
      'create_reference_table',
      'create_distributed_table',
      'add key',
    ]);
    expect(statements).toContain("select create_reference_table('public.users');");
    expect(
      statements.filter(
        (statement) => statement.includes('create_distributed_table') && !statement.includes('colocate_with'),
      ),
    ).toHaveLength(1);
    expect(
      await query(
        `select conname, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'f' order by 1, 2`,
      ),
    ).toEqual(keysBefore);
  });

  test('refuses to apply them where there is no cluster, and changes nothing', async () => {
    const { code, stderr } = await run('distribute', '--apply');
    expect([code, stderr]).toEqual([1, expect.stringContaining('create the extension citus there first')]);
  });
});
