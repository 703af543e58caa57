import { described } from '../http/described';
import { data, flag, listOf, object, text } from '../http/schemas';

const tag = 'Screens';
const column = object({ field: text, visibility: flag, filter: flag }, ['field', 'visibility', 'filter']);
const grid = object({ name: text, configuration: listOf(column) }, ['name', 'configuration']);

/** The documentation of the calls of chosen columns. */
export const calls = {
  read: described({
    id: 'read-grid-configuration',
    tag,
    summary: 'The columns that you chose for a grid',
    query: { name: 'The name of the grid.' },
    answer: data(grid),
  }),
  change: described({
    id: 'change-grid-configuration',
    tag,
    summary: 'Save the columns that you chose for a grid',
    body: { ...grid, additionalProperties: false },
    answer: data(grid),
  }),
};
