import { schemaRef, union, file, flag, keyWith, list, part, type Key } from './key';

/** A value that is compared with. */
const scalar = (words: { readonly help?: string } = {}): Key<string | number | boolean | null> =>
  keyWith({ type: ['string', 'number', 'boolean', 'null'] }, words);

const operators = part({
  help: 'Operators; all of them must hold.',
  minProperties: 1,
  keys: {
    $eq: scalar({ help: 'Equals. `null` equals only `null`.' }),
    $ne: scalar({ help: 'Differs. A field without a value differs from every value.' }),
    $gt: scalar({ help: 'Greater, or later. Never true of a field without a value.' }),
    $gte: scalar({ help: 'Greater or equal, later or the same day.' }),
    $lt: scalar({ help: 'Less, or earlier. Never true of a field without a value.' }),
    $lte: scalar({ help: 'Less or equal, earlier or the same day.' }),
    $in: union([list(scalar()), keyWith<string>({ type: 'string' })], { help: 'One of these values.' }),
    $nin: union([list(scalar()), keyWith<string>({ type: 'string' })], { help: 'None of these values.' }),
    $all: list(scalar(), { minItems: 1, help: 'A list that has all of these values.' }),
    $contains: scalar({ help: 'The text holds this one, in any case of letters.' }),
    $below: keyWith<unknown>(
      { type: ['integer', 'string', 'array'], items: { type: ['integer', 'string', 'null'] } },
      {
        help: 'For a relation to records that are a tree: one of these records, by id or variable, or one below it. `{ "parent_id": { "$below": 5 } }` on the tree itself finds what is below 5. Not in `highlight`, row actions, tabs, redirects and `delete`.',
      },
    ),
    $exists: flag({ help: '`true`: has a value. `false`: has none.' }),
    $not: schemaRef<object>('#/definitions/operators', { help: 'The opposite of these operators.' }),
    $some: schemaRef<object>('#', {
      help: 'For a relation, relations, inverse or rows field: some related record, or row, matches this condition. `{}`: there is one. `required`, `readOnly` and `visible` of fields and requests test only records that this one refers to; `highlight`, row actions, tabs, redirects and `delete` only what the embed of a relation contains (`embedFields`), and `{}`.',
    }),
  },
});

/** A condition on a record as data. */
export const condition = file(
  'Condition',
  part({
    help: 'A condition on a record as data: every entry must match. A key is a field, a path through relations (`stage_id.is_lost`: short for `$some` on `stage_id`, so it never matches a record without a stage), a variable such as `$actor.level`, or `$and`, `$or`, `$nor`, `$not`. A plain value must be equal, a list means one of these, an object contains operators. Variables on the right: `$actor.id`, `$actor.level`, `$actor.role_id`, `$actor.site_id`, `$actor.lists` (the modules that the role can list), `$record.…` (as stored), `$form.…` (as typed), `$today`, `$now`, and times relative to them: `$today+7d`, `$today-2w`, `$today+1m`, `$today-1y` (a month ends with its last day), `$now-3h`, `$now+30min`. Which of this each place accepts is listed in [conditions.md](conditions.md). A date-time is compared with an instant in any zone, or with a day: its own day in the zone of the caller. `{}` always matches.',
    keys: {
      $and: list(schemaRef<object>('#'), { help: 'All of these conditions hold.' }),
      $or: list(schemaRef<object>('#'), { help: 'At least one of these conditions holds.' }),
      $nor: list(schemaRef<object>('#'), { help: 'None of these conditions holds.' }),
      $not: schemaRef<object>('#', { help: 'This condition does not hold.' }),
    },
    schema: {
      patternProperties: {
        '^(\\$(actor|record|form|today|now)\\b|[a-z])': schemaRef<unknown>('#/definitions/operand'),
      },
      definitions: {
        operand: keyWith(
          {
            type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
            allOf: [{ if: { type: 'object' }, then: schemaRef('#/definitions/operators') }],
          },
          { help: 'A value, a list of values, or operators.' },
        ),
        operators,
      },
    },
  }),
);
