import { Type, type Static } from 'typebox';
import { closedObject, dataOf, dateTime, defineCall, id, nullable } from '../../routing/define-call';
import { idempotencyHeader } from '../../idempotency/header';
import { streamName } from '../../routing/stream-name';
import { moduleAccess } from '../access';

const definition = Type.Object({ name: Type.String(), labels: Type.Object({}), fields: Type.Object({}) });
const version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
const revision = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'The revision that was seen last; 0: none. 409 if the stored one is another.',
});
const label = {
  name: Type.String(),
  label: Type.String({ description: "The module's plural label in the draft." }),
  user: Type.Object({ id: Type.Integer(), name: Type.String() }),
  base_version: Type.Integer(),
  revision: Type.Integer(),
  updated_at: dateTime,
};
const content = {
  base: Type.Object(
    { version, source: definition },
    { ...closedObject, description: 'The version that the draft began with; 0: the module was never published.' },
  ),
  source: Type.Object(definition.properties, {
    description: 'The definition as of the last text that could be read.',
  }),
  text: Type.String({
    maxLength: 2_000_000,
    description: 'As typed into the JSON editor, even if it cannot be read.',
  }),
  purge: Type.Array(Type.String({ maxLength: 63 }), {
    maxItems: 1000,
    description: 'The hidden columns to drop when it is published.',
  }),
  takes_shipped: Type.Boolean({ description: 'Whether publishing it completes the pending upgrade.' }),
};
const draft = Type.Object(label);
const fullDraft = Type.Object({ ...label, ...content });
/** The window that makes the change: it gets no event of it, because it has the answer. */
const stream = Type.Optional(
  Type.String({
    ...streamName,
    description: 'The X-Stream of your event stream, which then reports this change to your other windows only.',
  }),
);
const saving = Type.Object({ ...content, revision, stream }, closedObject);
const params = Type.Object({ name: Type.String({ maxLength: 63 }) });
const handing = Type.Object({ user_id: id, revision }, closedObject);

export type SavedContent = Static<typeof saving>;
export type Handing = Static<typeof handing>;

const moduleCall = { ...moduleAccess, tag: 'Modules' } as const;

/** The calls of drafts of definitions. */
export const draftCalls = {
  list: defineCall({
    ...moduleCall,
    id: 'list-module-drafts',
    summary: 'The drafts of definitions, of all administrators, latest first',
    answer: dataOf(Type.Array(draft)),
  }),
  view: defineCall({
    ...moduleCall,
    id: 'view-module-drafts',
    summary: 'A draft of a definition; null if there is none',
    params,
    querystring: Type.Object(
      {
        user_id: Type.Optional(
          Type.Integer({
            ...id,
            description: 'Whose draft. Default: your own.',
            errorMessage: 'user_id must be an id.',
          }),
        ),
      },
      closedObject,
    ),
    answer: dataOf(nullable(fullDraft)),
  }),
  save: defineCall({
    ...moduleCall,
    id: 'save-module-drafts',
    summary: 'Save your draft of a definition, which need not be valid yet',
    params,
    headers: idempotencyHeader,
    body: saving,
    answer: dataOf(draft),
  }),
  discard: defineCall({
    ...moduleCall,
    id: 'delete-module-drafts',
    summary: 'Discard your draft of a definition',
    params,
    querystring: Type.Object(
      {
        revision: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 2_147_483_647,
            description: 'The revision that was seen last: 409 if the stored one is another.',
            errorMessage: 'revision must be the number of a revision.',
          }),
        ),
        stream,
      },
      closedObject,
    ),
    answer: Type.Object({ status: Type.Boolean() }),
  }),
  recipients: defineCall({
    ...moduleCall,
    id: 'recipients-module-drafts',
    summary: 'The administrators whom you can hand your draft over to',
    params,
    answer: dataOf(Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), has_draft: Type.Boolean() }))),
  }),
  handOver: defineCall({
    ...moduleCall,
    id: 'hand-over-module-drafts',
    summary: 'Hand your draft over to another administrator, who is notified',
    params,
    headers: idempotencyHeader,
    body: handing,
    answer: dataOf(draft),
  }),
  takeOver: defineCall({
    ...moduleCall,
    id: 'take-over-module-drafts',
    summary: "Take another administrator's draft over; they are notified",
    params,
    headers: idempotencyHeader,
    body: handing,
    answer: dataOf(draft),
  }),
};
