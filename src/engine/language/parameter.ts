import { choice, file, part, record, text, type ValueOf } from './key';
import { condition, fieldName, resourceName } from './names';

/** A parameter of a list. */
export const parameter = file(
  'Parameter',
  part({
    help: 'A query name that is not a field: for lists, filters and choices.',
    keys: {
      kind: choice(['value', 'flag', 'span', 'month', 'unlimited', 'named'], {
        label: 'Takes',
        begin: 'value',
        labels: {
          value: 'Any value',
          flag: 'Yes or no',
          span: 'From and to',
          month: 'A month',
          named: 'One of some names',
          unlimited: 'Lifts the limit of a list',
        },
        help: 'value: any value · flag: 1 applies `where`, 0 its opposite · span: `A` (from) or `ATB` (from, to) · month: `YYYY-MM`, the days of a month; any other value applies to the field with the same name · unlimited: accepted, and lifts the limit of a list · named: one of the names in `conditions`, any other value is rejected.',
        default: 'value',
      }),
      conditions: record(condition({ label: '{key}: records where' }), {
        label: 'Names',
        add: 'New name',
        fallback: 'None yet: the parameter needs at least one.',
        applies: { kind: ['named'] },
        onRemoval: 'removeHolder',
        minProperties: 1,
        names: text({ pattern: '^[A-Za-z][A-Za-z0-9_-]*$' }),
        help: 'named: the condition of each value: `{ "open": { "status_id": { "$ne": 5 } } }`.',
      }),
      field: fieldName({
        label: 'Filters by the field',
        onRemoval: 'removeHolder',
        help: 'The field that it filters by.',
      }),
      where: condition({
        label: 'Records where',
        onRemoval: 'removeHolder',
        help: "Its condition, with `$value` as the placeholder for the query's value.",
      }),
      export: text({
        label: 'File name of a download',
        applies: { kind: ['month'] },
        pattern: '^[A-Za-z0-9_-]*\\{value\\}[A-Za-z0-9_-]*\\.xlsx$',
        help: 'month: the file name of a download with this filter; `{value}` is the month.',
      }),
      label: text({ label: 'Label', help: 'The label of a filter on it.' }),
      resource: resourceName({ label: 'Its values are records of', help: 'The resource whose ids are its values.' }),
    },
  }),
);

export type ParameterSource = ValueOf<typeof parameter>;
