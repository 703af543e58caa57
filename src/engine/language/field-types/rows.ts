import { schemaRef, integer, record } from '../key';
import { newFieldName, relationPath } from '../names';
import { countName, inLists, maxItems } from './shared-keys';
import { typeKeys } from './type-keys';

export const rows = typeKeys({
  required: ['fields'],
  keys: {
    fields: record(schemaRef('field.schema.json'), {
      entry: ['column', 'columns'],
      minProperties: 1,
      names: newFieldName(),
      onRemoval: 'leaveEmpty',
      help: 'rows: the columns, in their order. Each is a field of type text, textarea, richText, number, boolean, date, time, datetime, select, url, email, phone, duration or relation.',
    }),
    minItems: integer({
      label: 'At least',
      minimum: 0,
      maximum: 1000,
      help: 'rows: how many there must be. Default: 0.',
    }),
    maxItems,
    inLists,
    countName,
    insertedRows: relationPath('^[a-z][A-Za-z0-9_]{0,62}\\.[a-z][A-Za-z0-9_]{0,62}$', {
      label: 'Inserts rows of',
      input: 'text',
      in: 'fields',
      help: 'rows: a relation among the columns, and a `rows` field of the record that it refers to, as `column.field`. A row that refers to a record has no other cells: it stands for the rows that this record has, in the columns of the same names. Whoever may read the row reads these rows too (`inserted`), in the form, on its public page and in spreadsheets, which have the rows themselves; conditions and rollups see the row that refers to them.',
      examples: ['shared_id.steps'],
    }),
  },
});
