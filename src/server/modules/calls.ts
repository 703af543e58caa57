import { Type, type Static } from 'typebox';
import type { Actor } from '../../engine/access/actor';
import { closed, dataOf, dateTime, defineCall, nullable } from '../routing/define-call';
import { idempotencyHeader } from '../idempotency/header';

const definition = Type.Object({});
const problem = { path: Type.String(), message: Type.String() };
const user = nullable(Type.Object({ id: Type.Integer(), name: Type.String() }));
const module = Type.Object({
  name: Type.String(),
  labels: Type.Object({ one: Type.String(), many: Type.String() }),
  origin: Type.Enum(['shipped', 'custom']),
  version: Type.Integer(),
  customised: Type.Boolean(),
  retired: Type.Boolean(),
  changed: nullable(Type.Object({ user, created_at: dateTime })),
  definition,
  shipped: nullable(definition),
  upgrade: nullable(Type.Object({ shipped: definition, merged: definition, conflicts: Type.Array(Type.Object({})) })),
  hidden: Type.Array(Type.Object({ column: Type.String(), type: Type.String(), values: Type.Integer() })),
  faults: Type.Optional(Type.Array(Type.Object(problem))),
});
const plan = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(Type.Object({ ...problem, module: Type.Optional(Type.String()) })),
  steps: Type.Array(
    Type.Object({
      kind: Type.String(),
      text: Type.String(),
      sql: Type.String(),
      destructive: Type.Boolean(),
      rows: Type.Optional(Type.Integer()),
      of: Type.Optional(Type.Integer()),
      records: Type.Optional(Type.Array(Type.Integer())),
    }),
  ),
});
const version = Type.Object({
  version: Type.Integer(),
  user,
  created_at: dateTime,
  event: Type.String(),
  definition,
});

const params = Type.Object({ name: Type.String() });
const baseVersion = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const confirm = Type.Optional(Type.Boolean({ description: 'Stored values may be lost.' }));
const purge = Type.Optional(
  Type.Array(Type.String(), {
    description: 'The hidden columns to drop.',
    errorMessage: 'purge must be a list of columns.',
  }),
);
const newModule = Type.Object({ definition, confirm }, closed);
const publishing = Type.Object(
  {
    definition,
    version: baseVersion,
    confirm,
    purge,
    shipped: Type.Optional(Type.Boolean({ description: 'The new shipped version was reviewed.' })),
  },
  closed,
);
const restoring = Type.Object({ version: baseVersion, confirm }, closed);

export type NewModule = Static<typeof newModule>;
export type Publishing = Static<typeof publishing>;
export type Restoring = Static<typeof restoring>;

const common = {
  tag: 'Modules',
  shownTo: isAdministrator,
  refusal: "You don't have permission to change modules: only the installation's administrator does.",
} as const;
/** A retry after a schema change must not publish again. */
const change = { ...common, once: true, headers: idempotencyHeader } as const;

function isAdministrator({ level }: Actor): boolean {
  return level === 1;
}

/** The calls of modules. */
export const moduleCalls = {
  list: defineCall({
    ...common,
    id: 'list-modules',
    summary: 'All definitions, as written',
    answer: dataOf(Type.Array(module)),
  }),
  view: defineCall({
    ...common,
    id: 'view-modules',
    summary: 'One definition, as written',
    params,
    answer: dataOf(module),
  }),
  plan: defineCall({
    ...common,
    id: 'plan-modules',
    summary: 'What publishing a definition would do; changes nothing',
    params,
    body: Type.Object({ definition, purge }, closed),
    answer: dataOf(plan),
  }),
  create: defineCall({
    ...change,
    id: 'create-modules',
    summary: 'Publish a new module, or reactivate a retired one',
    body: newModule,
    answer: dataOf(module),
    created: true,
  }),
  publish: defineCall({
    ...change,
    id: 'publish-modules',
    summary: 'Publish a definition',
    params,
    body: publishing,
    answer: dataOf(module),
  }),
  versions: defineCall({
    ...common,
    id: 'versions-modules',
    summary: 'All versions of a definition, newest first',
    params,
    answer: dataOf(Type.Array(version)),
  }),
  restore: defineCall({
    ...change,
    id: 'restore-modules',
    summary: 'Publish an earlier version again',
    params,
    body: restoring,
    answer: dataOf(module),
  }),
  remove: defineCall({
    ...common,
    id: 'delete-modules',
    summary: 'Retire a custom module, or reset a shipped one to its shipped version',
    params,
    querystring: Type.Object(
      {
        confirm: Type.Optional(
          Type.String({
            description: '`1` to confirm that stored values may be lost; the name of the module to purge it.',
          }),
        ),
        purge: Type.Optional(
          Type.Literal('1', { description: '`1` to drop the table of a retired module with everything in it.' }),
        ),
      },
      closed,
    ),
    answer: dataOf(module),
  }),
  column: defineCall({
    ...common,
    id: 'column-modules',
    summary: 'The values of a stored column, with the ids of their records',
    params: Type.Object({ name: Type.String(), column: Type.String() }),
    answer: Type.String(),
    answerType: 'text/csv',
  }),
};
