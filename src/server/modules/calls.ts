import type { Actor } from '../../engine/access/actor';
import { described, type CallDescription } from '../http/described';
import { idempotencyHeader } from '../idempotency/header';
import { data, flag, id, instant, listOf, object, orNull, text, whole } from '../http/schemas';

const definition = { type: 'object' };
const places = listOf(text);
const upgrade = object({ shipped: definition, merged: definition, conflicts: listOf({ type: 'object' }) });
const user = orNull(object({ id, name: text }));
const module = object({
  name: text,
  labels: object({ one: text, many: text }),
  origin: { enum: ['shipped', 'custom'] },
  version: whole,
  customised: flag,
  retired: flag,
  changed: orNull(object({ user, created_at: instant })),
  definition,
  shipped: orNull(definition),
  upgrade: orNull(upgrade),
  hidden: listOf(object({ column: text, type: text, values: whole })),
  faults: listOf(object({ path: text, message: text })),
});
const step = object({ kind: text, text, sql: text, destructive: flag, rows: whole, of: whole, records: listOf(id) });
const plan = object({
  valid: flag,
  errors: listOf(object({ path: text, message: text, module: text })),
  steps: listOf(step),
});
const version = object({ version: whole, user, created_at: instant, event: text, definition });

function call(description: Omit<CallDescription, 'tag' | 'shownTo'>) {
  return described({ ...description, tag: 'Modules', shownTo: ({ level }: Actor) => level === 1 });
}

/** A retry after a schema change must not publish again. */
function change(description: Parameters<typeof call>[0]) {
  return { config: { ...call(description).config, once: true } };
}

function sent(properties: Parameters<typeof object>[0], required: readonly string[]) {
  return { ...object(properties, required), additionalProperties: false };
}

/** The API descriptions of the module routes. */
export const calls = {
  list: call({ id: 'list-modules', summary: 'All definitions, as written', answer: data(listOf(module)) }),
  view: call({ id: 'view-modules', summary: 'One definition, as written', answer: data(module) }),
  plan: call({
    id: 'plan-modules',
    summary: 'What publishing a definition would do; changes nothing',
    body: sent({ definition, purge: places }, ['definition']),
    answer: data(plan),
  }),
  create: change({
    id: 'create-modules',
    summary: 'Publish a new module, or reactivate a retired one',
    headers: idempotencyHeader,
    body: sent({ definition, confirm: flag }, ['definition']),
    answer: data(module),
    created: true,
  }),
  publish: change({
    id: 'publish-modules',
    summary: 'Publish a definition',
    headers: idempotencyHeader,
    body: sent({ definition, version: whole, confirm: flag, purge: places, shipped: flag }, ['definition', 'version']),
    answer: data(module),
  }),
  versions: call({
    id: 'versions-modules',
    summary: 'All versions of a definition, newest first',
    answer: data(listOf(version)),
  }),
  restore: change({
    id: 'restore-modules',
    summary: 'Publish an earlier version again',
    headers: idempotencyHeader,
    body: sent({ version: whole, confirm: flag }, ['version']),
    answer: data(module),
  }),
  remove: change({
    id: 'delete-modules',
    summary: 'Retire a custom module, or reset a shipped one to its shipped version',
    query: {
      confirm: '`1` to confirm that stored values may be lost; the name of the module to purge it.',
      purge: '`1` to drop the table of a retired module with everything in it.',
    },
    answer: data(module),
  }),
  column: call({
    id: 'column-modules',
    summary: 'The values of a stored column, with the ids of their records',
    answer: text,
    answerType: 'text/csv',
  }),
};
