import { Type, type Static } from 'typebox';
import { closedObject, dataOf, defineCall, filledText, nullable } from '../routing/define-call';

const tag = 'Screens';
const column = Type.Object(
  {
    field: Type.String({ maxLength: 127, pattern: '^[A-Za-z_][\\w.]*$' }),
    visibility: Type.Boolean(),
    filter: Type.Boolean(),
  },
  closedObject,
);
const grid = Type.Object(
  {
    name: filledText('Name', 100),
    configuration: Type.Array(column, { title: 'Configuration', maxItems: 300 }),
  },
  closedObject,
);

const firstView = Type.Object(
  {
    name: filledText('Name', 100),
    view: nullable(
      Type.String({
        title: 'View',
        minLength: 1,
        maxLength: 63,
        description: 'The id of a saved view, or the name of one of the definition.',
      }),
      { description: 'None: the list opens as the views say that everyone, or your role, has.' },
    ),
  },
  closedObject,
);

/** The columns that a user chose for a grid; the grid's name is that of its definition. */
export type GridConfiguration = Static<typeof grid>;

/** The calls of chosen columns. */
export const gridCalls = {
  read: defineCall({
    id: 'read-grid-configuration',
    scope: 'person',
    tag,
    summary: 'The columns that you chose for a grid',
    querystring: Type.Object({
      name: Type.String({ title: 'Name', minLength: 1, description: 'The name of the grid.' }),
    }),
    answer: dataOf(grid),
  }),
  change: defineCall({
    id: 'change-grid-configuration',
    scope: 'person',
    tag,
    summary: 'Save the columns that you chose for a grid',
    body: grid,
    answer: dataOf(grid),
  }),
  readFirst: defineCall({
    id: 'read-first-view',
    scope: 'person',
    tag,
    summary: 'The view that you chose for a list to open with, your own or one that is shared with you',
    querystring: Type.Object({
      name: Type.String({ title: 'Name', minLength: 1, description: 'The name of the module.' }),
    }),
    answer: dataOf(firstView),
  }),
  changeFirst: defineCall({
    id: 'change-first-view',
    scope: 'person',
    tag,
    summary: 'Choose the view that a list opens with for you alone',
    body: firstView,
    answer: dataOf(firstView),
  }),
};
