import { expect, test } from 'vitest';
import { parse, type Source, sources } from './sources';

/**
 * The folders (and files) of `src/server` from top to bottom. Each imports only from itself and from those further
 * down, types included, so no two of them depend on each other.
 */
const layers: readonly (readonly [name: string, purpose: string])[] = [
  ['start-program.ts', 'starts everything except HTTP, in the order of dependencies'],
  ['system-hooks.ts', 'the hooks that every product has'],
  ['read-product.ts', 'a product in a folder'],
  ['product-code.ts', 'the code of that product, in the build with it'],
  ['metrics', 'Prometheus metrics of the program and of its requests'],
  ['http', 'the Fastify application, the generic routes of records, the OpenAPI document'],
  ['overload', 'limits how many calls run and wait at once'],
  ['backup', 'the database and the files as one archive, and back'],
  ['modules', 'definitions through the API: drafts, plans, versions'],
  ['automation', 'what happens by itself: runs, schedules, webhooks'],
  ['imports', 'spreadsheets to records'],
  ['exports', 'records to spreadsheets and printed pages'],
  ['public-forms', 'forms for people without an account'],
  ['search', 'finds records of all modules'],
  ['grids', 'the columns that users chose'],
  ['menu', 'counts and warnings of the menu'],
  ['comments', 'comments on records, mentions, who watches what'],
  ['timers', 'the timer of each person'],
  ['notifications', 'notifications and announcements to users'],
  ['events', 'server-sent events: who sees which change'],
  ['accounts', 'users, roles, companies, sign-in, permissions; who sends a request'],
  ['mail', 'templates, the outbox, SMTP'],
  ['idempotency', 'calls with an Idempotency-Key run once'],
  ['routing', 'what routes share: descriptions of calls, bodies and forms, headers'],
  ['aggregates', 'counts and sums, charts'],
  ['records', 'lists, reads, writes, requests, history of records'],
  ['access', 'the one predicate of who sees what'],
  ['retention', 'deletes or archives old history and notifications'],
  ['program.ts', 'the types of a running program, of hooks and of products'],
  ['files', 'the file storage: disk or bucket, signed URLs, quotas'],
  ['jobs', 'the queue of background jobs'],
  ['queue', 'carries work from transactions to workers (pg-boss)'],
  ['definitions', 'which definitions are active; changes of them'],
  ['sync', 'tables follow definitions'],
  ['security-log', 'who did what, when and from where'],
  ['sql', 'conditions and expressions as SQL; cached results of queries'],
  ['live', 'changes of records, passed on among servers'],
  ['database', 'pool, transactions, migrations, the embedded PostgreSQL'],
  ['lifecycle', 'health, signals, errors at the start'],
  ['limits', 'rates, slots and sizes'],
  ['threads', 'worker threads'],
  ['secrets', 'encryption of stored secrets; hashes of passwords'],
  ['settings', 'the environment, read and checked; the log'],
  ['requests', 'the current request: its id and user'],
  ['errors', 'the errors of the API, each with its code'],
];
const order = layers.map(([name]) => name);

test('folders of the server import only from folders further down', () => {
  expect(sources.flatMap(upwardImports)).toEqual([]);
});

test('every folder of the server has its place, and every place its folder', () => {
  expect([...new Set(sources.flatMap(({ path }) => layerOf(path) ?? []))].sort()).toEqual([...order].sort());
});

test.each([
  ['src/server/records/read/list.ts', "import { a } from '../../http/app';"],
  ['src/server/records/read/query/list-query.ts', "import type { A } from '../../../accounts/users/accounts';"],
  ['src/server/database/database.ts', "export * from '../live/hub';"],
  ['src/server/files/files.ts', "import type { Program } from '../program';"],
  ['src/server/errors/errors.ts', "type A = import('../settings/settings').Settings;"],
  ['src/server/program.ts', "const a = await import('./records/list');"],
])('an upward import in the server is reported: %s with %s', (path, text) => {
  expect(upwardImports(parse(path, text))).toHaveLength(1);
});

test('an import from the same folder or from one further down is allowed in the server', () => {
  const text = "import '../../access/access-filter'; import './list'; import '../../program'; import 'kysely';";
  expect(upwardImports(parse('src/server/records/read/read.ts', text))).toEqual([]);
});

function upwardImports({ path, imports }: Source): string[] {
  const own = layerOf(path);
  if (own === undefined) return [];
  return imports.flatMap((imported) => {
    const other = layerOf(imported);
    return other !== undefined && order.indexOf(other) < order.indexOf(own) ? [`${path} → ${imported}`] : [];
  });
}

/** The folder or file directly in `src/server` that a path is in. */
function layerOf(path: string): string | undefined {
  return /^src\/server\/([^/]+)/.exec(path)?.[1];
}
