import { Type, type Static } from 'typebox';
import { closedObject, dataOf, dateTime, defineCall, id, nullable } from '../routing/define-call';
import { idempotencyHeader } from '../idempotency/header';
import { moduleAccess } from './access';

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
      keeps: Type.Optional(Type.String()),
      forbidden: Type.Optional(Type.Boolean()),
      uncounted: Type.Optional(Type.Boolean()),
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
  note: nullable(Type.String()),
  definition,
});

const shownValues = Type.Array(
  Type.Object({
    field: Type.String(),
    label: Type.String(),
    value: Type.Unknown(),
    text: Type.String({ description: 'The value in words; relations by the titles of their records.' }),
  }),
);
const triedStep = Type.Object({
  step: Type.String({ description: '`notify`, `mail`, `set`, `create` or `webhook`.' }),
  text: Type.String({ description: 'What the list of runs would say.' }),
  messages: Type.Optional(
    Type.Array(Type.Object({ user: Type.String(), text: Type.String() }), {
      description: '`notify`: who would read what.',
    }),
  ),
  mail: Type.Optional(
    Type.Object({
      user: nullable(Type.String(), { description: 'Null if the address is not that of a user.' }),
      address: Type.String({ description: 'Enough of it to recognise it.' }),
      subject: Type.String(),
      text: Type.String(),
    }),
  ),
  records: Type.Optional(
    Type.Array(Type.Object({ resource: Type.String(), values: shownValues }), {
      description: '`set`: the record with the values that it would get; `create`: the records that would be created.',
    }),
  ),
  webhook: Type.Optional(
    Type.Object({ name: Type.String(), body: Type.String({ description: 'The JSON that would be sent.' }) }),
  ),
});
const triedAutomation = Type.Object({
  name: Type.String(),
  label: Type.String(),
  runs: Type.Boolean(),
  reason: Type.String({ description: 'Why it would run, or why not.' }),
  unmet: Type.Array(Type.String(), { description: 'The parts of its condition that do not hold.' }),
  as: nullable(Type.String(), { description: 'With whose permissions.' }),
  state: nullable(Type.Enum(['done', 'refused']), { description: 'How the run would end.' }),
  message: nullable(Type.String(), { description: 'What would be refused; then none of the steps would be done.' }),
  steps: Type.Array(triedStep),
});
const trialBody = Type.Object(
  {
    definition: Type.Optional(definition),
    record: Type.Integer({ ...id, description: 'The id of the stored record.' }),
    trigger: Type.Optional(
      Type.Enum(['create', 'update', 'delete', 'comment', 'time'], {
        description: 'What happens to the record. Default: for each automation, what it waits for.',
      }),
    ),
    changed: Type.Optional(
      Type.Object(
        {},
        { description: 'The values that the change gives to fields. Default: each field counts as just filled in.' },
      ),
    ),
    author: Type.Optional(Type.Integer({ ...id, description: 'The user who makes the change. Default: the caller.' })),
  },
  closedObject,
);

const draftRead = Type.Object(
  {
    definition,
    as: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The user or role that it is read as, as in the header X-View-As. Default: the caller.',
      }),
    ),
    path: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description:
        'What GET would be sent for: the path of a list, a record, an aggregate, a tree or choices, with its query.',
    }),
  },
  closedObject,
);

const params = Type.Object({ name: Type.String() });
const baseVersion = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const confirm = Type.Optional(Type.Boolean({ description: 'Stored values may be lost.' }));
const purge = Type.Optional(
  Type.Array(Type.String(), {
    description: 'The hidden columns to drop.',
    errorMessage: 'purge must be a list of columns.',
  }),
);
const note = Type.Optional(
  Type.String({
    description: 'What changes and why, for those who read the versions.',
    maxLength: 500,
    errorMessage: 'note must be a text of at most 500 characters.',
  }),
);
const draft = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The revision of your draft that this is: it ends with the publication.',
  }),
);
const newModule = Type.Object({ definition, confirm, note, draft }, closedObject);
const publishing = Type.Object(
  {
    definition,
    version: baseVersion,
    confirm,
    purge,
    note,
    draft,
    shipped: Type.Optional(Type.Boolean({ description: 'The new shipped version was reviewed.' })),
  },
  closedObject,
);
const restoring = Type.Object({ version: baseVersion, confirm, note }, closedObject);

export type NewModule = Static<typeof newModule>;
export type Publishing = Static<typeof publishing>;
export type Restoring = Static<typeof restoring>;

const moduleCall = { ...moduleAccess, tag: 'Modules' } as const;
/** A retry after a schema change must not publish again. */
const change = { ...moduleCall, once: true, headers: idempotencyHeader } as const;

/** The calls of modules. */
export const moduleCalls = {
  list: defineCall({
    ...moduleCall,
    id: 'list-modules',
    summary: 'All definitions, as written',
    answer: dataOf(Type.Array(module)),
  }),
  view: defineCall({
    ...moduleCall,
    id: 'view-modules',
    summary: 'One definition, as written',
    params,
    answer: dataOf(module),
  }),
  plan: defineCall({
    ...moduleCall,
    id: 'plan-modules',
    summary: 'What publishing a definition would do; changes nothing',
    params,
    body: Type.Object({ definition, purge }, closedObject),
    answer: dataOf(plan),
  }),
  tryOut: defineCall({
    ...moduleCall,
    id: 'try-modules',
    summary: 'What the automations of a definition would do for a stored record; nothing of it is done',
    params,
    body: trialBody,
    answer: dataOf(
      Type.Object({
        note: nullable(Type.String(), { description: 'What of the draft was not part of the try-out.' }),
        automations: Type.Array(triedAutomation),
      }),
    ),
  }),
  read: defineCall({
    ...moduleCall,
    id: 'read-modules',
    summary: 'What a call that reads would return if a definition were published; changes nothing',
    params,
    body: draftRead,
    answer: Type.Unknown({ description: 'What the call would return, without an envelope.' }),
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
    ...moduleCall,
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
    ...moduleCall,
    id: 'delete-modules',
    summary: 'Retire a custom module, or reset a shipped one to its shipped version',
    params,
    querystring: Type.Object(
      {
        version: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 2_147_483_647,
            description: 'The version that was seen last: 409 if there is a newer one.',
            errorMessage: 'version must be the number of a version.',
          }),
        ),
        confirm: Type.Optional(
          Type.String({
            description: '`1` to confirm that stored values may be lost; the name of the module to purge it.',
          }),
        ),
        purge: Type.Optional(
          Type.Literal('1', { description: '`1` to drop the table of a retired module with everything in it.' }),
        ),
      },
      closedObject,
    ),
    answer: dataOf(module),
  }),
  column: defineCall({
    ...moduleCall,
    id: 'column-modules',
    summary: 'The values of a stored column, with the ids of their records',
    params: Type.Object({ name: Type.String(), column: Type.String() }),
    answer: Type.String(),
    answerType: 'text/csv',
  }),
};
