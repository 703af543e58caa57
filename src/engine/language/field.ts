import type { Condition, FieldTypeName } from '../definitions/field';
import {
  choice,
  described,
  either,
  file,
  flag,
  integer,
  keyWith,
  list,
  number,
  part,
  record,
  template,
  text,
  type KeySchema,
  type ValueOf,
} from './key';
import {
  condition,
  fieldName,
  fieldPath,
  identifier,
  keyword,
  levels,
  newFieldName,
  relationName,
  relationPath,
  roles,
  refer,
} from './names';

const options = list(
  part({
    note: 'value',
    help: 'An option.',
    required: ['value', 'label'],
    keys: {
      value: either([text({ minLength: 0 }), number()], {
        label: 'Stored as',
        input: 'optionValue',
        begin: 'option_{n}',
        help: 'The stored value.',
      }),
      label: text({ label: 'Label', begin: 'Option {n}', help: 'The text shown.' }),
      tone: choice(['urgent', 'high', 'medium', 'low', 'neutral', 'info', 'violet', 'teal'], {
        label: 'Colour',
        fallback: 'No colour',
        help: 'The meaning of its colour. Default: neutral.',
      }),
      formerValue: either([text({ minLength: 0 }), number()], {
        label: 'Formerly stored as',
        applies: { was: true },
        help: 'Its former value. Stored rows with it get the new one when the definition is published, and so do saved views, tiles of pages and stored list queries. Programs, addresses and files that still say it mean the new value; the history keeps it.',
        examples: ['in_work'],
      }),
    },
  }),
  {
    label: 'Options',
    fallback: 'No options yet',
    minItems: 1,
    identity: 'value',
    help: 'The values of a `select`, in their order.',
  },
);

const transitions = list(
  part({
    help: 'One or several changes with the same rules.',
    required: ['from', 'to'],
    keys: {
      from: either(
        [
          text({ minLength: 0 }),
          number(),
          list(either([text({ minLength: 0 }), number()]), { minItems: 1, unique: true }),
        ],
        { help: 'The value that it leads from, or several; of a relation, the names of records.' },
      ),
      to: either(
        [
          text({ minLength: 0 }),
          number(),
          list(either([text({ minLength: 0 }), number()]), { minItems: 1, unique: true }),
        ],
        { help: 'The value that it leads to, or several; of a relation, the names of records.' },
      ),
      label: text({ label: 'Label of its button', help: "The label of its button. Default: the option's." }),
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
);

/** The keys of a field that depend on its type. */
export interface TypeKeys {
  /** Keys that a field of the type cannot do without. */
  readonly neededKeys?: readonly string[];
  /** Keys that name another field of the record, with its type. */
  readonly references?: Readonly<Record<string, string>>;
  /** Keys that lead through relations of the record to a field. */
  readonly pathKeys?: readonly string[];
  /** The kind of values that a field of the type has. */
  readonly holds: string;
}

/** Records that refer to this one are named by their resource too, never by a field of this one. */
const referrersKeys: Readonly<Record<string, KeySchema>> = {
  source: { type: 'string', pattern: '^[a-z][a-z0-9-]*\\.[a-z][A-Za-z0-9_]*(\\.[a-z][A-Za-z0-9_]*)?$' },
};

/** A field of a resource, which can have one of these types: those of the program, or those of a product too. */
export const describeField = (types: Readonly<Record<string, TypeKeys>>) =>
  file(
    'Field',
    part({
      help: 'A field of a record: its column, its input, its cell, its filter and its line of API documentation.',
      schema: { allOf: Object.entries(types).flatMap(describeType) },
      keys: {
        type: choice(Object.keys(types) as FieldTypeName[], {
          help: 'The type of its values. text: one line · textarea: several · richText: formatted · money: an exact amount with its currency · relation: a record of another resource by id · relations: many of them · inverse: the records that refer to this one · select: one of fixed options · permissions: a tree of grants · image: one image · files: several files, in an order that people give them. The server tells their kind by their content, and serves what a browser could run as a download. Lists have their number, conditions can ask whether there are any, spreadsheets have their names and cannot fill it · duration: computed from two times · shareLink: a secret link that gives anyone access to the record · sequence: a readable key such as `TC-142`, given by the server to each new record and never changed or given twice · lookup: a value of a related record · rollup: the number, a sum … of the records that point here, or of the rows of the record · rows: ordered rows of the record itself, with columns of their own, edited in its form. Spreadsheets have a column for each (`Lines: Action`) and a line for each row: those below the first have no other cells.',
          default: 'text',
        }),
        label: text({
          label: 'Label',
          help: 'The label for users. Default: the name as words without `_id`: `order_status_id` is "Order Status".',
        }),
        help: text({ label: 'Help', rare: true, help: 'One sentence under the input.' }),
        placeholder: text({
          label: 'Placeholder',
          rare: true,
          help: 'Shown in the empty input. Never the only label.',
        }),
        emptyText: text({
          label: 'Text when empty',
          rare: true,
          help: 'Muted text in lists and cards if there is no value: "Unassigned". Default: nothing.',
        }),
        required: either([flag(), choice(['form']), condition()], {
          label: 'Required',
          help: '`true`: required in the form and the API. `"form"`: only in the form. A condition: required if it matches. A hidden field is never required.',
          default: false,
        }),
        readOnly: either([flag(), condition({ onRemoval: 'report' })], {
          label: 'Read only',
          help: 'Values that clients send are ignored. A condition: wherever it holds.',
          default: false,
        }),
        visible: condition({
          label: 'Visible when',
          help: 'The form shows the field only if this matches. Default: always.',
        }),
        default: keyWith<unknown>(
          {
            allOf: [
              {
                if: { type: 'object', required: ['$lookup'] },
                then: part({ keys: { $lookup: condition({ in: 'to', onRemoval: 'report' }) } }),
              },
            ],
          },
          {
            label: 'Default',
            isWhole: true,
            help: 'The value of a new record: a plain value, `$actor.id` (or another property of the signed-in user), `$today`, `$now`. relation: also `{ "$lookup": condition }`, the record of the target that matches, such as the employee that is the signed-in user. It is the one that the person may view and choose; there is no default if none or several match.',
            examples: [{ $lookup: { user_id: '$actor.id' } }],
          },
        ),
        unique: choice([true, false, 'company', 'installation'], {
          label: 'Unique',
          labels: { true: 'Yes', company: 'Within the company', installation: 'In the installation' },
          help: 'No two records hold the same value, in any case of letters: `"company"` among the records of a company, `"installation"` among all. `true`: whichever fits the scope.',
          default: false,
        }),
        minLength: integer({ label: 'Min length', minimum: 0, help: 'Characters at least.' }),
        maxLength: integer({
          label: 'Max length',
          minimum: 1,
          maximum: 1000000,
          help: 'Characters at most. Default: 255; textarea 10,000; richText 100,000; phone 15.',
        }),
        similar: flag({
          label: 'Points out similar records',
          rare: true,
          help: 'text: while it is typed into a form, records of the module with a similar text are named below the input, so that nothing is entered twice: at most five that the user may list, of the same targets of relations that are `container`. It never keeps anybody from saving. `GET r/similar/{field}` finds them, by an index of their trigrams. Default: false.',
        }),
        fields: record(described<FieldSource>('field.schema.json'), {
          minProperties: 1,
          names: newFieldName(),
          onRemoval: 'leaveEmpty',
          help: 'rows: the columns, in their order. Each is a field of type text, textarea, richText, number, boolean, date, time, datetime, select, url, email, phone, duration or relation.',
        }),
        min: number({ label: 'Min', help: 'The least number.' }),
        minItems: integer({
          label: 'At least',
          minimum: 0,
          maximum: 1000,
          help: 'rows: how many there must be. Default: 0.',
        }),
        accept: list(text({ pattern: '^(\\*|[a-z]+)/(\\*|[a-z0-9.+-]+)$' }), {
          label: 'Accepts',
          options: 'fileKinds',
          minItems: 1,
          help: 'files: the kinds that it takes, by content: a type such as `application/pdf`, a group such as `image/*`, or `*/*` for any.',
          default: ['*/*'],
          examples: [['image/*', 'application/pdf']],
        }),
        maxItems: integer({
          label: 'At most',
          minimum: 1,
          maximum: 1000,
          help: 'rows: how many there can be. Default: 200. files: the same, up to 100. Default: 20. inverse: only so many of its records, at most 100: those with the greatest `latestBy`, the greatest last; without it, all.',
        }),
        maxSize: text({
          label: 'Size of each at most',
          pattern: '^[1-9][0-9]{0,3} (kB|MB)$',
          help: 'files: the greatest size of each, up to `100 MB`. Units are of 1,024.',
          default: '10 MB',
          examples: ['25 MB'],
        }),
        max: number({ label: 'Max', help: 'The greatest number.' }),
        integer: flag({ label: 'Whole numbers only', help: 'Only whole numbers.', default: false }),
        decimal: flag({
          label: 'Stored exactly',
          help: 'number: stored exactly, as `numeric`, with `digits` decimals (2 by default) and at most 15 digits in all. A value with more decimals is refused, sums are exact.',
          default: false,
        }),
        limitedBy: fieldName({
          label: 'Limited to the permissions of',
          options: 'sameType',
          help: 'permissions: a relation of the same record to a record with permissions, such as its role. The form locks those that it does not have. Locks are a help for people: what the server refuses is decided by a hook.',
          examples: ['role_id'],
        }),
        queryResource: refer(
          text({
            label: 'Has a list query of',
            pattern: '^[a-z][a-z0-9-]{0,62}$',
            help: 'json: the resource of which it stores a list query, such as `{"status": "open"}`. When fields are renamed, the query gets their present names. What is no query stays as it is.',
            examples: ['orders'],
          }),
          'resource',
        ),
        currency: refer(
          text({
            label: 'Currency',
            input: 'text',
            onRemoval: 'report',
            pattern: '^([A-Z]{3}|[a-z][A-Za-z0-9_]{0,62})$',
            help: 'money: the code of its currency (ISO 4217), or the select or text field of the same record that has the code. Lists, forms and files show the amount with it. It is stored exactly, as `numeric`, with the decimals of the currency or `digits` (2 where a field has the code), and at most 15 digits in all. Where a field has the code, a rollup can add or compare amounts only if its `where` says the currency.',
            examples: ['EUR', 'currency'],
          }),
          'field',
        ),
        pattern: text({
          label: 'Pattern',
          format: 'regex',
          help: 'A regular expression (Unicode) that the text must match. It runs in linear time, so lookaheads, lookbehinds and backreferences are not supported.',
        }),
        patternMessage: text({ label: 'Error message', help: 'Message if the text does not match the pattern.' }),
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
        maxDate: choice(['$today'], {
          label: 'Latest day',
          labels: { $today: 'Today' },
          help: 'date: the latest day allowed; `$today` refuses the future.',
        }),
        dateField: fieldName({
          label: 'On the day of',
          options: 'referenced',
          help: 'time: the date field that has its day. The time is then accepted as `HH:mm` or `YYYY-MM-DD HH:mm` (the day comes from the date field) and returned with its day: `2026-11-16 14:30`.',
        }),
        suggestedFrom: fieldName({
          label: 'Offers the last',
          options: 'referenced',
          help: "time: a time of the same day that this one goes on from, such as the `end` that a `start` follows. While it is empty, the form of a new record offers the latest such time among the caller's own records of that day: a button below the input, or the arrow key down. Records are the caller's by the field whose default is `$actor.id`, else by who created them. Nothing is filled in by itself.",
        }),
        startField: fieldName({
          label: 'From',
          options: 'referenced',
          onRemoval: 'report',
          help: 'duration: the time field that it begins at. Between two times of one day (`dateField`) it is as long as the time that passes in the zone of who enters them, also on a day on which the clocks change; it keeps its length while they stay.',
        }),
        options,
        multiple: flag({
          label: 'Several values',
          help: 'select: a record can have several of its options. The API has a list of values in the order of the options, and null where there is none; a condition with a plain value asks whether it is one of them, `$in` for any, `$all` for all. Lists filter by it and cannot be sorted by it; it has no `transitions`, and cannot be unique.',
          default: false,
        }),
        initial: either([text({ minLength: 0 }), number()], {
          label: 'Value of new records',
          help: 'select and relation: the value of every new record, for a relation the name of a record (`transitionsBy`); later ones follow from `transitions`. Default: `default`, and a new record may have any value.',
        }),
        transitions,
        transitionsBy: fieldName({
          label: 'Transitions name records by',
          options: 'targetFields',
          in: 'to',
          help: 'relation: the text of the target by which `initial` and `transitions` name its records. It must be unique, so that a name means one record of a company. What has another name than those is final: rename the records and the transitions together.',
          default: 'name',
        }),
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
        endField: fieldName({
          label: 'To',
          options: 'referenced',
          onRemoval: 'report',
          help: 'duration: the time field that it ends at.',
        }),
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
          label: 'Choices',
          in: 'to',
          help: 'relation, relations: which records can be chosen. Keys are fields or parameters of the target. Filters the select, clears a value that a changed parent no longer allows, and is checked again by the server.',
        }),
        onDelete: choice(['restrict', 'cascade', 'clear'], {
          label: 'When its target is deleted',
          labels: { restrict: 'Refuse the deletion', cascade: 'Delete this record too', clear: 'Clear the value' },
          help: 'relation: what happens to this record when its target is deleted. restrict: the target cannot be deleted while it is in use · cascade: this record is deleted too · clear: the value is cleared.',
          default: 'restrict',
        }),
        container: flag({
          label: 'Part of its target',
          help: 'relation: the record lives within its target, and is hidden while that is archived.',
          default: false,
        }),
        pin: flag({
          label: 'Remembers the version',
          help: 'relation: remembers which version of its target was meant, and tells when that has changed since. Adds three fields that only the server writes: `<name>_pin` (`updated_at` of the version that was meant; writing "current" to it takes the present one), `<name>_latest` (that of the present version) and `<name>_changed`.',
          default: false,
        }),
        maxDepth: integer({
          label: 'Maximum depth',
          minimum: 1,
          maximum: 32,
          help: 'relation to its own resource: the maximum depth of nesting. Default: 2, parent and child.',
        }),
        depth: refer(
          text({
            label: 'Depth said by',
            input: 'text',
            pattern: '^[a-z][A-Za-z0-9_]{0,62}\\.[a-z][A-Za-z0-9_]{0,62}$',
            help: "relation to its own resource, with `maxDepth`: the depth where a related record says so: one of this record's relations, and a whole number of its target. Where that is empty it is 2, and never more than `maxDepth`. It is checked when a record is placed; what is deeper already stays. Its choices leave out records that nothing more fits below.",
            examples: ['store_id.section_depth'],
          }),
          'path',
        ),
        source: relationName('^[a-z][A-Za-z0-9_-]*(\\.[a-z][A-Za-z0-9_]*)*$', {
          label: 'Shows',
          byType: { lookup: { label: 'Path to the field', options: 'lookupPaths' }, rollup: { options: 'rollups' } },
          onRemoval: 'report',
          help: 'inverse, rollup: the relation on the other side, as `resource.field`; inverse: also one among the columns of rows, `resource.rows.column`. rollup: or the `rows` field of the same record, `lines`. lookup: the relations that lead to a record, and its field: `order_id.customer_id.name`. A lookup or rollup is read-only, computed when it is read from what the reader may see (rules and validation compare it with all records), sorted, filtered and exported; a lookup is null for users who may not see the record. A rollup of rows follows them while they are edited, before the record is saved.',
          examples: [
            'deals.company_id',
            'orders.lines.product_id',
            'lines',
            'company_id.name',
            'order_id.customer_id.name',
          ],
        }),
        inLists: choice(['count', 'records', 'nothing'], {
          label: 'In lists',
          labels: { count: 'Count', records: 'Records', nothing: 'Nothing' },
          help: 'relations, inverse, rows: what lists contain. Single records always contain the records or rows. Default: count for inverse and rows, nothing for relations.',
        }),
        countName: identifier({
          label: 'Name of the count',
          help: "inverse, rows: the name of the count in lists. Default: the field's name with `_count`.",
        }),
        sum: fieldName({
          label: 'Summed field',
          options: 'summedFields',
          in: 'source',
          help: 'inverse: a number or duration of its records. Lists contain its sum, named like the field with `_sum`, beside the count; board cards show it instead of the count.',
        }),
        showFields: list(fieldName({ in: 'source', unless: 'distinctBy' }), {
          label: 'Fields shown',
          options: 'targetFields',
          unique: true,
          help: 'inverse: the fields of its records besides id and title.',
        }),
        aggregate: choice(['count', 'sum', 'avg', 'min', 'max', 'share', 'latest'], {
          label: 'Takes',
          labels: {
            count: 'Number of records',
            sum: 'Sum',
            avg: 'Average',
            min: 'Least',
            max: 'Greatest',
            share: 'Percentage that matches',
            latest: 'Latest',
          },
          help: 'rollup: what it takes from the active records that point here and that the reader may list, or from the rows of the record. count: how many there are · sum, avg: of `field` · min, max: the least or greatest `field` · share: the percentage of them that match `where`, as a number from 0 to 100 in lists, files and the API · latest: `field` of the one with the latest `latestBy`; of rows without `latestBy`, of the last. Without such records a count and a sum are 0, anything else has no value. It has the `digits` of `field`, an average 2, a share 1, unless it says otherwise; durations are taken as minutes.',
        }),
        field: fieldPath({
          label: 'Of the field',
          options: 'childFields',
          in: 'source',
          onRemoval: 'report',
          help: 'rollup: the field of those records, or the column of those rows, that it takes.',
        }),
        latestBy: fieldName({
          label: 'Latest by',
          options: 'childFields',
          in: 'source',
          help: 'rollup with `latest`, inverse with `maxItems`: the field that says which record is the latest; records without a value of it are left out. Default: `created_at`; of rows, their order.',
        }),
        valueStrip: fieldName({
          label: 'Shown side by side',
          options: 'childFields',
          in: 'source',
          help: 'inverse with `maxItems`: the select field of its records whose values are shown side by side, each in its tone, the latest last.',
          examples: ['result'],
        }),
        indirectRelation: relationPath('^[a-z][A-Za-z0-9_]{0,62}\\.[a-z][A-Za-z0-9_]{0,62}$', {
          label: 'Also through',
          input: 'text',
          in: 'source',
          help: 'inverse with `maxItems`: records that point here through another record, too: their relation to that one, and its relation to this one.',
          examples: ['contract_id.customer_id'],
        }),
        confirmChangesOf: list(fieldName(), {
          label: 'Asks before changes of',
          options: 'sharable',
          unique: true,
          help: 'inverse: fields of this record whose change is a change of its records too. Before a form with one of them changed is saved, it asks, and says in how many records it is used (`GET r/{id}/uses/{field}`): how many of them the user may list, and whether there are others.',
          examples: [['steps']],
        }),
        insertedRows: relationPath('^[a-z][A-Za-z0-9_]{0,62}\\.[a-z][A-Za-z0-9_]{0,62}$', {
          label: 'Inserts rows of',
          input: 'text',
          in: 'fields',
          help: 'rows: a relation among the columns, and a `rows` field of the record that it refers to, as `column.field`. A row that refers to a record has no other cells: it stands for the rows that this record has, in the columns of the same names. Whoever may read the row reads these rows too (`inserted`), in the form, on its public page and in spreadsheets, which have the rows themselves; conditions and rollups see the row that refers to them.',
          examples: ['shared_id.steps'],
        }),
        distinctBy: fieldName({
          label: 'Instead, what they refer to',
          options: 'childFields',
          in: 'source',
          help: 'inverse: a relation of its records. Shown are not they, but the records that they refer to by it, each once: the people to whom the tasks of a project are assigned. `showFields` then names fields of those. Lists have the records.',
          examples: ['handled_by'],
        }),
        where: condition({
          label: 'Only of records where',
          in: 'source',
          onRemoval: 'report',
          help: 'rollup: which of those records or rows count; a condition on rows compares their columns. For `share`: which of them are the share.',
          examples: [{ state: 'won' }],
        }),
        computed: keyWith<Condition | string>(
          {
            type: ['object', 'string'],
            minLength: 1,
            reference: { kind: 'template' },
            onRemoval: 'report',
            allOf: [
              {
                if: {
                  type: 'object',
                  minProperties: 1,
                  propertyNames: { pattern: '^\\$(?!(and|or|nor|not)$|(actor|record|form|today|now)\\b)' },
                },
                then: described('expression.schema.json', {}, { kind: 'expression' }),
              },
              {
                if: {
                  type: 'object',
                  not: {
                    minProperties: 1,
                    propertyNames: { pattern: '^\\$(?!(and|or|nor|not)$|(actor|record|form|today|now)\\b)' },
                  },
                },
                then: condition(),
              },
            ],
          },
          {
            help: 'Computed when read, never stored or written: a condition (a boolean field), a template such as `{first_name} {last_name}` (a text field), or an [expression](#expression) such as `{"$multiply": ["$record.price", "$record.quantity"]}` (a field of any type with a value). It is sorted, filtered and exported like any other, ignored when it is sent or imported, and not in the history. It is null for users who may not read a field that its expression reads. A column of `rows` is computed by an expression over other columns of its row, shown while the row is typed; rollups take it like any other.',
            examples: [{ $multiply: ['$record.price', '$record.quantity'] }, '{first_name} {last_name}'],
          },
        ),
        formerName: identifier({
          help: 'Its former name. The column is renamed and keeps its values, instead of adding a new one.',
        }),
        secret: flag({
          label: 'Secret',
          rare: true,
          help: 'Never leaves the server, not even in the history. Default: true for passwords.',
        }),
        virtual: flag({
          label: 'Stored by hooks',
          rare: true,
          help: "Stored by hooks, not in the resource's table.",
          default: false,
        }),
        searchable: flag({
          label: 'Searchable',
          rare: true,
          help: 'Part of the search over all text; of rows: the texts of their columns, and of the rows that they insert where those are searched too. Default: true for text types, false for rows.',
        }),
        sortable: flag({
          label: 'Sortable',
          rare: true,
          help: 'Lists can be sorted by it. Default: by type; long texts and lists cannot.',
        }),
        filterable: flag({ label: 'Filterable', rare: true, help: 'Lists can be filtered by it. Default: by type.' }),
        width: choice(['full', 'half', 'quarter'], {
          label: 'Width',
          labels: { full: 'Full', half: 'Half', quarter: 'Quarter' },
          rare: true,
          help: 'The share of a row of the form. Default: by type; half for text and relations, quarter for numbers and dates, full for long texts.',
        }),
        lines: integer({
          label: 'Lines',
          rare: true,
          minimum: 1,
          maximum: 40,
          help: 'textarea, richText: visible lines.',
        }),
        markdown: flag({
          label: 'Marks in the text',
          rare: true,
          help: 'textarea, also as a column of rows: its text can have marks, a part of Markdown: `**bold**`, `_italic_`, code between backticks, `[text](https://address)` with http, https or mailto, and `![text](name.png)` for a picture among the files of the record. Each is within one line, around whole words; everything else is shown as it was typed. Forms have a toolbar for them (Alt+F10 leads to it, Escape back to the text) and keys: Ctrl+B, Ctrl+I, Ctrl+E for code, Ctrl+Shift+K for a link; pasted pictures are stored among the files; the page of the record shows the result. It stays text: in the API, in the history, in spreadsheets, in imports and exports, and texts that are stored already need no change.',
          default: false,
        }),
        digits: integer({
          label: 'Decimals',
          minimum: 0,
          maximum: 10,
          help: 'number: the number of decimals shown; of a `decimal` also of those stored. money: those stored and shown. Default: those of the currency.',
        }),
        separators: flag({
          label: 'Commas between thousands',
          help: 'number: whether to show thousands separators (true by default); false for numbers that are identifiers, such as years. Inputs and spreadsheets have none.',
        }),
        path: keyword({
          label: 'Path of the link',
          help: "shareLink: the first step of the application's path that shows the record, before the link's token: `testcase` for `/testcase/{token}`.",
        }),
        sharedFields: list(fieldName(), {
          label: 'Shown to visitors',
          options: 'sharable',
          unique: true,
          help: "shareLink: the fields shown to anyone with the link, in this order, besides the record's title; related records by title only. Default: only the title.",
        }),
        format: template({
          label: 'Format',
          through: 'relations',
          words: ['n'],
          onRemoval: 'report',
          minLength: 3,
          maxLength: 100,
          help: 'sequence: the key with `{n}` for the number. Other names in braces are required fields of the record or of a record that it refers to: `TC-{n}`, `{store_id.code}-{n}`. A changed format holds for new records; the others keep their keys.',
          examples: ['TC-{n}', '{store_id.code}-{n}'],
        }),
        partitionBy: fieldName({
          label: 'Numbered per',
          input: 'text',
          words: ['company', 'installation'],
          onRemoval: 'report',
          help: 'sequence: which records are numbered together. `company`: those of a company · `installation`: all · a required relation: those that refer to the same record. Default: `company` where records belong to companies, else `installation`.',
          examples: ['company', 'installation', 'store_id'],
        }),
        gapless: flag({
          label: 'Without gaps',
          help: 'sequence: no number is left out, as invoices need it. Creating records then waits for others who create some that are numbered together, until theirs are stored. Otherwise numbers are given without waiting, always upwards, and one whose record was not stored after all may be left out. Default: `false`.',
        }),
      },
    }),
  );

/** A field as written. An interface, since a field with rows has fields within. */
export interface FieldSource extends FieldKeys {}

type FieldKeys = ValueOf<ReturnType<typeof describeField>>;

function describeType([type, keys]: [string, TypeKeys]): KeySchema[] {
  const { neededKeys = [], references = {}, pathKeys = [], holds } = keys;
  const properties: Record<string, KeySchema> = {
    ...(holds === 'referrers' && referrersKeys),
    ...Object.fromEntries(Object.keys(references).map((key) => [key, { reference: { kind: 'field' } }])),
    ...Object.fromEntries(pathKeys.map((key) => [key, { reference: { kind: 'path', through: 'relations' } }])),
  };
  const then = {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(neededKeys.length > 0 && { required: [...neededKeys] }),
  };
  return Object.keys(then).length === 0
    ? []
    : [{ if: { properties: { type: { const: type } }, required: ['type'] }, then }];
}
