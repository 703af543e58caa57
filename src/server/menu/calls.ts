import { Type, type Static } from 'typebox';
import { mostCounted } from '../../engine/lists/menu-counts';
import { closedObject, dataOf, defineCall } from '../routing/define-call';

const mark = Type.Object(
  {
    resource: Type.String({ description: 'The module whose entry it is.' }),
    count: Type.Optional(
      Type.Integer({ description: `How many records wait; ${mostCounted + 1} stands for more than ${mostCounted}.` }),
    ),
    alert: Type.Optional(Type.Boolean({ description: 'Whether the entry warns.' })),
  },
  closedObject,
);

/** A count and a warning beside an entry of the menu. */
export type MenuMark = Static<typeof mark>;

/** The call of counts and warnings of the menu. */
export const menuCalls = {
  read: defineCall({
    id: 'read-menu-marks',
    scope: ['*.list'],
    tag: 'Screens',
    summary: 'How much waits in the modules of the menu, and which of them warn',
    querystring: Type.Object(
      {
        scope: Type.Optional(
          Type.Integer({ title: 'scope', description: 'The id of the record in the switcher that it is narrowed to.' }),
        ),
      },
      closedObject,
    ),
    answer: dataOf(Type.Array(mark)),
  }),
};
