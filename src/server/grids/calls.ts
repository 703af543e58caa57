import { describeCall } from '../routing/call-description';
import { dataSchema, booleanSchema, arraySchema, objectSchema, stringSchema } from '../routing/schemas';

const tag = 'Screens';
const column = objectSchema({ field: stringSchema, visibility: booleanSchema, filter: booleanSchema }, [
  'field',
  'visibility',
  'filter',
]);
const grid = objectSchema({ name: stringSchema, configuration: arraySchema(column) }, ['name', 'configuration']);

/** The documentation of the calls of chosen columns. */
export const gridCalls = {
  read: describeCall({
    id: 'read-grid-configuration',
    tag,
    summary: 'The columns that you chose for a grid',
    query: { name: 'The name of the grid.' },
    answer: dataSchema(grid),
  }),
  change: describeCall({
    id: 'change-grid-configuration',
    tag,
    summary: 'Save the columns that you chose for a grid',
    body: { ...grid, additionalProperties: false },
    answer: dataSchema(grid),
  }),
};
