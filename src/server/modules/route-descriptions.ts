import type { Actor } from '../../engine/access/actor';
import { describeCall, type CallDescription } from '../routing/call-description';
import { idempotencyHeader } from '../idempotency/header';
import {
  dataSchema,
  booleanSchema,
  idSchema,
  dateTimeSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  stringSchema,
  integerSchema,
} from '../routing/schemas';

const definition = { type: 'object' };
const pathList = arraySchema(stringSchema);
const upgrade = objectSchema({ shipped: definition, merged: definition, conflicts: arraySchema({ type: 'object' }) });
const user = nullableSchema(objectSchema({ id: idSchema, name: stringSchema }));
const module = objectSchema({
  name: stringSchema,
  labels: objectSchema({ one: stringSchema, many: stringSchema }),
  origin: { enum: ['shipped', 'custom'] },
  version: integerSchema,
  customised: booleanSchema,
  retired: booleanSchema,
  changed: nullableSchema(objectSchema({ user, created_at: dateTimeSchema })),
  definition,
  shipped: nullableSchema(definition),
  upgrade: nullableSchema(upgrade),
  hidden: arraySchema(objectSchema({ column: stringSchema, type: stringSchema, values: integerSchema })),
  faults: arraySchema(objectSchema({ path: stringSchema, message: stringSchema })),
});
const step = objectSchema({
  kind: stringSchema,
  text: stringSchema,
  sql: stringSchema,
  destructive: booleanSchema,
  rows: integerSchema,
  of: integerSchema,
  records: arraySchema(idSchema),
});
const plan = objectSchema({
  valid: booleanSchema,
  errors: arraySchema(objectSchema({ path: stringSchema, message: stringSchema, module: stringSchema })),
  steps: arraySchema(step),
});
const version = objectSchema({
  version: integerSchema,
  user,
  created_at: dateTimeSchema,
  event: stringSchema,
  definition,
});

function describeModuleRoute(description: Omit<CallDescription, 'tag' | 'shownTo'>) {
  return describeCall({ ...description, tag: 'Modules', shownTo: ({ level }: Actor) => level === 1 });
}

/** A retry after a schema change must not publish again. */
function describeChangeRoute(description: Parameters<typeof describeModuleRoute>[0]) {
  return { config: { ...describeModuleRoute(description).config, once: true } };
}

function strictObject(properties: Parameters<typeof objectSchema>[0], required: readonly string[]) {
  return { ...objectSchema(properties, required), additionalProperties: false };
}

/** The API descriptions of the module routes. */
export const moduleRoutes = {
  list: describeModuleRoute({
    id: 'list-modules',
    summary: 'All definitions, as written',
    answer: dataSchema(arraySchema(module)),
  }),
  view: describeModuleRoute({ id: 'view-modules', summary: 'One definition, as written', answer: dataSchema(module) }),
  plan: describeModuleRoute({
    id: 'plan-modules',
    summary: 'What publishing a definition would do; changes nothing',
    body: strictObject({ definition, purge: pathList }, ['definition']),
    answer: dataSchema(plan),
  }),
  create: describeChangeRoute({
    id: 'create-modules',
    summary: 'Publish a new module, or reactivate a retired one',
    headers: idempotencyHeader,
    body: strictObject({ definition, confirm: booleanSchema }, ['definition']),
    answer: dataSchema(module),
    created: true,
  }),
  publish: describeChangeRoute({
    id: 'publish-modules',
    summary: 'Publish a definition',
    headers: idempotencyHeader,
    body: strictObject(
      { definition, version: integerSchema, confirm: booleanSchema, purge: pathList, shipped: booleanSchema },
      ['definition', 'version'],
    ),
    answer: dataSchema(module),
  }),
  versions: describeModuleRoute({
    id: 'versions-modules',
    summary: 'All versions of a definition, newest first',
    answer: dataSchema(arraySchema(version)),
  }),
  restore: describeChangeRoute({
    id: 'restore-modules',
    summary: 'Publish an earlier version again',
    headers: idempotencyHeader,
    body: strictObject({ version: integerSchema, confirm: booleanSchema }, ['version']),
    answer: dataSchema(module),
  }),
  remove: describeChangeRoute({
    id: 'delete-modules',
    summary: 'Retire a custom module, or reset a shipped one to its shipped version',
    query: {
      confirm: '`1` to confirm that stored values may be lost; the name of the module to purge it.',
      purge: '`1` to drop the table of a retired module with everything in it.',
    },
    answer: dataSchema(module),
  }),
  column: describeModuleRoute({
    id: 'column-modules',
    summary: 'The values of a stored column, with the ids of their records',
    answer: stringSchema,
    answerType: 'text/csv',
  }),
};
