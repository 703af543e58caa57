import { Type, type Static } from 'typebox';
import { dataOf, defineCall, nullable } from '../../routing/define-call';

const tag = 'Start';
const step = Type.Object({
  resource: Type.String(),
  text: nullable(Type.String()),
  done: Type.Boolean({ description: 'Whether your company has a record of it.' }),
});
const sample = Type.Object({
  label: Type.String(),
  text: Type.String(),
  created: Type.Boolean({ description: 'Whether its records are there.' }),
});
const start = Type.Object({
  steps: Type.Array(step, { description: 'Of what you may create. Empty: there is nothing to begin.' }),
  sample: nullable(sample, { description: 'null: there is none, or you may not create or remove it.' }),
  hasColleagues: Type.Boolean({ description: 'Whether your company has other users.' }),
});

/** How far a company is with its first steps, for one user. */
export type Start = Static<typeof start>;

/** The calls of the guided start. */
export const startCalls = {
  read: defineCall({
    id: 'read-start',
    scope: 'person',
    tag,
    summary: 'The first steps of your company',
    answer: dataOf(start),
  }),
  create: defineCall({
    id: 'create-sample',
    scope: 'person',
    tag,
    summary: 'Create the sample of the product in your company: all of it, or nothing',
    answer: dataOf(start),
  }),
  remove: defineCall({
    id: 'remove-sample',
    scope: 'person',
    tag,
    summary: 'Delete the records of the sample for good: all that are left, or nothing',
    answer: dataOf(start),
  }),
};
