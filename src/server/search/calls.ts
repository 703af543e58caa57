import { Type } from 'typebox';
import { closedObject, dataOf, defineCall, nullable } from '../routing/define-call';

const maxFound = 50;
export const defaultFound = 20;

/** The call that searches all modules at once. */
export const searchCalls = {
  search: defineCall({
    id: 'search',
    scope: ['*.list'],
    tag: 'Search',
    summary: 'Find records of all modules that you may list, by key, id or words, best first',
    querystring: Type.Object(
      {
        q: Type.String({
          title: 'q',
          minLength: 1,
          maxLength: 255,
          description: 'Words that a record must contain, all of them; or its key (TC-142), or #142 for its id.',
        }),
        limit: Type.Optional(
          Type.Integer({
            title: 'limit',
            minimum: 1,
            maximum: maxFound,
            description: `How many at most; ${defaultFound} by default.`,
          }),
        ),
        resources: Type.Optional(
          Type.String({
            title: 'resources',
            minLength: 1,
            maxLength: 2000,
            description: 'Names of the modules to search, separated by commas; all that you may list by default.',
          }),
        ),
        scope: Type.Optional(
          Type.String({
            title: 'scope',
            pattern: '^[a-z][a-z0-9-]*:[1-9][0-9]{0,15}$',
            description:
              'A record, such as deals:3: of modules that refer to such records only what belongs to this one is found. A key or an id finds its record anyway.',
          }),
        ),
      },
      closedObject,
    ),
    answer: dataOf(
      Type.Array(
        Type.Object({
          resource: Type.String(),
          id: Type.Integer(),
          title: Type.String(),
          key: nullable(Type.String()),
          subtitle: nullable(Type.String({ description: 'The title of the record that it belongs to.' })),
          matched: Type.Enum(['key', 'title', 'text']),
        }),
      ),
    ),
  }),
};
