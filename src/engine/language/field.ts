import type { Condition, Exclusive, FieldTypeName } from '../definitions/field';
import { builtInTypeKeys } from './field-types';
import type { OptionalCommonKey, TypeKeys } from './field-types/type-keys';
import {
  anyValue,
  choice,
  schemaRef,
  union,
  file,
  flag,
  keyWith,
  part,
  text,
  type Key,
  type KeySchema,
  type KeysOf,
} from './key';
import { condition, identifier } from './names';

/** The keys of every field besides `type`. Those of each type are in `field-types`. */
export const commonKeys = {
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
  required: union([flag(), choice(['form']), condition()], {
    label: 'Required',
    help: '`true`: required in the form and the API. `"form"`: only in the form. A condition: required if it matches. A hidden field is never required.',
    default: false,
  }),
  readOnly: union([flag(), condition({ onRemoval: 'report' })], {
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
          then: schemaRef('expression.schema.json', {}, { kind: 'expression' }),
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
      word: 'computed from',
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
};

/**
 * A field of a resource, which can have one of these types: those of the program, or those of a product too.
 *
 * @example describeField(allTypeKeys());
 */
export function describeField(types: Readonly<Record<string, TypeKeys>>) {
  const typeKeys: Record<string, Key> = {};
  for (const { keys } of Object.values(types))
    for (const [name, key] of Object.entries(keys))
      typeKeys[name] = [undefined, key].includes(typeKeys[name]) ? key : anyValue();
  return file(
    'Field',
    part({
      help: 'A field of a record: its column, its input, its cell, its filter and its line of API documentation.',
      schema: { allOf: Object.entries(types).flatMap(([name, type]) => describeType(name, type, typeKeys)) },
      keys: {
        type: choice(Object.keys(types) as FieldTypeName[], {
          help: 'The type of its values. text: one line · textarea: several · richText: formatted · money: an exact amount with its currency · relation: a record of another resource by id · relations: many of them · inverse: the records that refer to this one · select: one of fixed options · permissions: a tree of grants · image: one image · files: several files, in an order that people give them. The server tells their kind by their content, and serves what a browser could run as a download. Lists have their number, conditions can ask whether there are any, spreadsheets have their names and cannot fill it · duration: computed from two times · shareLink: a secret link that gives anyone access to the record · sequence: a readable key such as `TC-142`, given by the server to each new record and never changed or given twice · lookup: a value of a related record · rollup: the number, a sum … of the records that point here, or of the rows of the record · rows: ordered rows of the record itself, with columns of their own, edited in its form. Spreadsheets have a column for each (`Lines: Action`) and a line for each row: those below the first have no other cells.',
          default: 'text',
        }),
        ...commonKeys,
        ...typeKeys,
      },
    }),
  );
}

/** The rules for fields of one type alone: also for a key that another type describes in another way, which can be anything in `typeKeys`. */
function describeType(
  name: string,
  { keys, required: requiredKeys = [], particulars: constraints }: TypeKeys,
  typeKeys: Readonly<Record<string, Key>>,
): KeySchema[] {
  const properties = {
    ...Object.fromEntries(Object.entries(keys).filter(([key, typeKey]) => typeKeys[key] !== typeKey)),
    ...constraints,
  };
  const consequence = {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(requiredKeys.length > 0 && { required: [...requiredKeys] }),
  };
  if (Object.keys(consequence).length === 0) return [];
  // A field without a type is a text.
  const fieldOfType = { properties: { type: { const: name } }, ...(name !== 'text' && { required: ['type'] }) };
  return [{ if: fieldOfType, then: consequence }];
}

/** The columns of rows are fields again. An interface, since it leads back to itself. */
interface FieldColumns {
  [name: string]: FieldSource;
}

type CommonSource = KeysOf<typeof commonKeys, never>;

type SourceOf<Name extends FieldTypeName, Described> =
  Described extends TypeKeys<infer Keys, infer Required, infer Common>
    ? Omit<CommonSource, Exclude<OptionalCommonKey, Common>> &
        KeysOf<Keys, Required> &
        (Name extends 'text' ? { type?: Name } : { type: Name }) &
        (Name extends 'rows' ? { fields: FieldColumns } : unknown)
    : never;

/** A field as written: its type decides which keys it has, and which of them it needs. */
export type FieldSource = Exclusive<
  { [Name in FieldTypeName]: SourceOf<Name, (typeof builtInTypeKeys)[Name]> }[FieldTypeName]
>;

/** A field as written, of any type: for code that goes over the keys of a field without knowing its type. */
export type AnyFieldSource = { -readonly [Name in keyof FieldSource]?: FieldSource[Name] };
