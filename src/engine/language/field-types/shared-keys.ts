import { choice, union, integer, list, number, part, template, text } from '../key';
import { condition, fieldName, iconName, identifier, levels, relationName, roles, refer } from '../names';

/** The limits that written text can have. */
export const textLimits = {
  minLength: integer({ label: 'Min length', minimum: 0, help: 'Characters at least.' }),
  maxLength: integer({
    label: 'Max length',
    minimum: 1,
    maximum: 1000000,
    help: 'Characters at most. Default: 255; textarea 10,000; richText 100,000; phone 15.',
  }),
  pattern: text({
    label: 'Pattern',
    format: 'regex',
    help: 'A regular expression (Unicode) that the text must match. It runs in linear time, so lookaheads, lookbehinds and backreferences are not supported.',
  }),
  patternMessage: text({ label: 'Error message', help: 'Message if the text does not match the pattern.' }),
};

/** The least and the greatest value. */
export const range = {
  min: number({ label: 'Min', help: 'The least number.' }),
  max: number({ label: 'Max', help: 'The greatest number.' }),
};

/** Comparisons with another field of the same type. */
export const comparisons = {
  notBefore: fieldName({
    label: 'Not before',
    options: 'sameType',
    help: 'A field of the same type that this one must not be before: an end after its start.',
  }),
  laterThan: fieldName({
    label: 'After',
    options: 'sameType',
    help: 'A field of the same type that this one must be after: an end that is later than its start; `00:00` as the end is the end of the day. The form of such a time also reads a duration (`1h30`, `1:30`, `90m`, `1.5h`): it counts from the other field.',
  }),
};

const state = [text({ minLength: 0 }), number()] as const;
const states = (help: string) => union([...state, list(union(state), { minItems: 1, unique: true })], { help });

/** The value of new records, and the changes of it that are possible. */
export const changes = {
  initial: union(state, {
    label: 'Value of new records',
    help: 'select and relation: the value of every new record, for a relation the name of a record (`transitionsBy`); later ones follow from `transitions`. Default: `default`, and a new record may have any value.',
  }),
  transitions: list(
    part({
      help: 'One or several changes with the same rules.',
      required: ['from', 'to'],
      keys: {
        from: states('The value that it leads from, or several; of a relation, the names of records.'),
        to: states('The value that it leads to, or several; of a relation, the names of records.'),
        label: text({ label: 'Label of its button', help: "The label of its button. Default: the option's." }),
        icon: iconName({ label: 'Icon', help: 'The name of an icon.', default: 'chevron-right' }),
        effect: template({
          label: 'Effect in few words',
          help: 'What it does, beside its label in the menu of the state; `{field}` stands for a value of the record. Default: the option that it leads to.',
          examples: ['takes no results'],
        }),
        levels: levels({
          fallback: 'Everybody who may edit',
          help: 'Only users of these levels may make it. Default: all who may edit the record.',
        }),
        roles: roles({
          fallback: 'Everybody who may edit',
          help: 'Only users of these roles, by their keys, besides those of `levels`. Default: all who may edit the record.',
        }),
        where: condition({
          label: 'Only for records where',
          onRemoval: 'report',
          help: 'Only for records that match, with the values that are stored with the change: also computed ones, rows and related records. Default: all.',
          examples: [{ 'employee_id.manager_id': '$actor.id', amount: { $lte: 1000 } }],
        }),
        requiredFields: list(fieldName(), {
          label: 'Needs',
          options: 'otherInputs',
          unique: true,
          help: 'Fields that must have a value afterwards; the button asks for them.',
          default: [],
        }),
      },
    }),
    {
      minItems: 1,
      help: "select and relation: the only changes of its value that are possible, in forms, through the API, in imports and in requests. Each is a request of its own too: a button of the form, a row action by its name (`state_approved`) and a call, `PATCH /api/{resource}-state-approved/{id}`. Those of a relation lead between records that `from` and `to` name (`transitionsBy`), each company's own; its value cannot be emptied. Default: every change.",
      examples: [
        [
          { from: 'requested', to: ['approved', 'refused'], levels: [1, 2, 3], requiredFields: ['reason'] },
          { from: ['approved', 'refused'], to: 'requested', label: 'Open again' },
        ],
      ],
    },
  ),
};

/** The resource that a relation points to, and what is shown and chosen of it. */
export const target = {
  to: refer(
    text({
      label: 'Points to',
      onRemoval: 'report',
      pattern: '^[a-z][A-Za-z0-9_]*(-[a-z0-9]+)*$',
      maxLength: 63,
      help: 'relation, relations: the resource that it points to.',
    }),
    'resource',
  ),
  embed: identifier({
    label: 'Embedded as',
    help: "relation, relations: the property of responses with the related record (id and title). Without it only the id is returned. The field's own name is allowed: the record then replaces the id.",
  }),
  embedFields: list(fieldName({ in: 'to' }), {
    label: 'Embedded fields',
    options: 'targetFields',
    unique: true,
    help: 'The fields of the embed besides id and title.',
  }),
  choices: condition({
    word: 'choices where',
    label: 'Choices',
    in: 'to',
    help: 'relation, relations: which records can be chosen. Keys are fields or parameters of the target. Filters the select, clears a value that a changed parent no longer allows, and is checked again by the server.',
  }),
};

/** The height of an input of several lines. */
export const lines = integer({
  label: 'Lines',
  rare: true,
  minimum: 1,
  maximum: 40,
  help: 'textarea, richText: visible lines.',
});

/** The decimals of a number. */
export const digits = integer({
  label: 'Decimals',
  minimum: 0,
  maximum: 10,
  help: 'number: the number of decimals shown; of a `decimal` also of those stored. money: those stored and shown. Default: those of the currency.',
});

/** Where the values of other records come from. */
export const source = relationName('^[a-z][A-Za-z0-9_-]*(\\.[a-z][A-Za-z0-9_]*)*$', {
  label: 'Shows',
  byType: { lookup: { label: 'Path to the field', options: 'lookupPaths' }, rollup: { options: 'rollups' } },
  onRemoval: 'report',
  help: 'inverse, rollup: the relation on the other side, as `resource.field`; inverse: also one among the columns of rows, `resource.rows.column`. rollup: or the `rows` field of the same record, `lines`. lookup: the relations that lead to a record, and its field: `order_id.customer_id.name`. A lookup or rollup is read-only, computed when it is read from what the reader may see (rules and validation compare it with all records), sorted, filtered and exported; a lookup is null for users who may not see the record. A rollup of rows follows them while they are edited, before the record is saved.',
  examples: ['deals.company_id', 'orders.lines.product_id', 'lines', 'company_id.name', 'order_id.customer_id.name'],
});

/** Whether lists contain the related records or their number. */
export const inLists = choice(['count', 'records', 'nothing'], {
  label: 'In lists',
  labels: { count: 'Count', records: 'Records', nothing: 'Nothing' },
  help: 'relations, inverse, rows: what lists contain. Single records always contain the records or rows. Default: count for inverse and rows, nothing for relations.',
});

/** The name of their count in lists. */
export const countName = identifier({
  label: 'Name of the count',
  help: "inverse, rows: the name of the count in lists. Default: the field's name with `_count`.",
});

/** The order in which one of several records is the latest. */
export const latestBy = fieldName({
  label: 'Latest by',
  options: 'childFields',
  in: 'source',
  help: 'rollup with `latest`, inverse with `maxItems`: the field that says which record is the latest; records without a value of it are left out. Default: `created_at`; of rows, their order.',
});

/** How many entries there can be. */
export const maxItems = integer({
  label: 'At most',
  minimum: 1,
  maximum: 1000,
  help: 'rows: how many there can be. Default: 200. files: the same, up to 100. Default: 20. inverse: only so many of its records, at most 100: those with the greatest `latestBy`, the greatest last; without it, all.',
});
