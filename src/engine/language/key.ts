import type { Static, TUnsafe } from 'typebox';
import type { FieldTypeName } from '../definitions/field';

/**
 * The description of a key of the definition language: a schema of its values with what a schema cannot say. Schemas in
 * `schemas/`, completion and the studio are derived from it.
 */
export type Key<Value = unknown> = TUnsafe<Value> & KeySchema;

/** The value that a key takes. */
export type ValueOf<OneKey extends Key> = Static<OneKey>;

/** The kind of thing that the values of a key name, and where it is looked up. */
export interface Reference {
  readonly kind: ReferenceKind;
  /**
   * Where the resource is named whose field this is: a key beside this one, such as `to` (a resource) or `source` (a resource
   * and its field). Default: the definition itself.
   */
  readonly in?: string;
  /** The type that the field must have. */
  readonly type?: FieldTypeName;
  /** It is the key of an entry: the entries around it are no keys beside it. `record` says so. */
  readonly isEntryKey?: boolean;
  /** Names of parameters of the list are allowed too. */
  readonly orParameter?: boolean;
  /** Names of tabs of the form are allowed too. */
  readonly orTab?: boolean;
  /** Values that are words of the language, not names. */
  readonly words?: readonly string[];
  /** Where this key stands beside it, the value names something else, which that key says. */
  readonly unless?: string;
  /** The entry is renamed with a field only where it is called like the one that this key of it names. */
  readonly namesakeOf?: string;
  /** Only what one of these keys beside it lists is a field; other names belong to something else. */
  readonly listedIn?: readonly string[];
  /**
   * The steps that a path leads through: relations by their names, or records by the names that they are embedded under. Default:
   * embeds for a `path` and a `template`.
   */
  readonly through?: 'relations' | 'embeds';
  /** A value can be a template too. */
  readonly withTemplate?: boolean;
  /** Whose values `$form` has in a condition. Default: the record's. */
  readonly formOf?: 'filters';
}

/**
 * The fate of a value that loses a name, since the field that it named was removed. Default: the entry of a list, the
 * key, the comparison of a condition, or the name in a template goes, and what is empty then.
 *
 * - `removeHolder`: the object or list that has it goes too, since it would mean something else.
 * - `report`: it stays, also within it, and its place is reported.
 * - `reportLast`: the last entry of a list stays, and the list is reported.
 * - `leaveEmpty`: it stays when it is empty, which means something else than none.
 */
export type RemovalPolicy = 'removeHolder' | 'report' | 'reportLast' | 'leaveEmpty';

export type ReferenceKind =
  /** A field. */
  | 'field'
  /** A field, or a path through embedded records. */
  | 'path'
  /** A field, with a leading `-` for the opposite order. */
  | 'sort'
  | 'resource'
  /** A field of another resource that refers to this one, as `resource.field`. */
  | 'relation'
  | 'icon'
  | 'role'
  /** The name of a request of the definition. */
  | 'request'
  /** The name of a row action, built in or of the definition. */
  | 'action'
  /** The name of a tab of the list. */
  | 'tab'
  /** Text with names of fields in braces. */
  | 'template'
  | 'condition'
  | 'expression'
  /** A value that may be taken from a record: `$record.name`. */
  | 'value'
  /** The name of a field that is described here. */
  | 'newField';

/** The keywords of JSON Schema that the language uses, with the reference of a name. */
export interface KeySchema {
  $ref?: string;
  $schema?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: KeySchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, KeySchema>;
  patternProperties?: Record<string, KeySchema>;
  propertyNames?: KeySchema;
  additionalProperties?: boolean | KeySchema;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  allOf?: KeySchema[];
  anyOf?: KeySchema[];
  oneOf?: KeySchema[];
  not?: KeySchema;
  if?: KeySchema;
  then?: KeySchema;
  definitions?: Record<string, KeySchema>;
  reference?: Reference;
  onRemoval?: RemovalPolicy;
  isWhole?: boolean;
  identity?: string;
  panel?: PanelWords;
}

/** How the studio shows a key, besides its help: no part of the JSON Schemas. */
export interface PanelWords {
  /** The label of its input. A key without one has no input; a part without one is always open. `{key}`: the entry's name. */
  readonly label?: string;
  /** The value that holds without it, in a few words, for its empty input. Default: as its default and its help say (`Default: …`). */
  readonly fallback?: string;
  /** list, record: the label of the button that adds an entry. Default: by the help of an entry, `A chart.` */
  readonly add?: string;
  /**
   * The value that a new part or entry has of it: `{n}` is the number of the entry, `{key}` its name, `{recordTitle}` the
   * title of records, `true` the first choice. Keys that a part requires have a first value anyway.
   */
  readonly begin?: unknown;
  /** part: why it cannot be switched on where nothing can be chosen for what it requires. */
  readonly lacks?: string;
  /** The choices of a name. Default: all that its kind of reference allows. */
  readonly options?: OptionSource;
  /** choice: the values by their labels. Default: the values themselves. */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * When its input is shown, unless it has a value: the key beside it is there (`true`) or not (`false`), has one of these
   * values, or names one of these choices.
   */
  readonly applies?: Readonly<Record<string, boolean | OptionSource | readonly unknown[]>>;
  /** part of a list: the key whose value alone can stand for it, and the label of the button that makes it a whole part. */
  readonly short?: { readonly key: string; readonly label: string };
  /** part: the kinds that it can be of, which its first input offers. */
  readonly kinds?: PartKinds;
  /** part: the key that says what an entry of a list is called. Default: `label`. */
  readonly title?: string;
  /** part: the key that is shown beside that. */
  readonly note?: string;
  /** record: the entries are open, in no order that could be changed. */
  readonly isOpen?: boolean;
  /** Its input is among those that are opened when they are needed. */
  readonly rare?: boolean;
  /** text: so many lines. */
  readonly lines?: number;
  /** field: what is said instead for fields of some types. */
  readonly byType?: Readonly<Record<string, Pick<PanelWords, 'label' | 'options'>>>;
  /** The name in descriptions of changes. Default: the label; of a part of the definition, its key. */
  readonly word?: string;
  /** list, record: what an entry is called there, and several. Default: by the help of an entry, `A chart.` */
  readonly entry?: readonly [one: string, many: string];
  /** The name of an input that was made for it. */
  readonly input?: string;
}

/** The kinds of a part, of which it is one: the last whose key it has. */
export interface PartKinds {
  /** The label of the input that offers them. */
  readonly label: string;
  /** The kinds in the order offered, by the key that makes a part one of it. */
  readonly by: Readonly<Record<string, PartKind>>;
}

/** A kind of a part. */
export interface PartKind {
  readonly label: string;
  /** The keys that belong to it besides its own; other kinds can have them too. */
  readonly keys?: readonly string[];
  /** The values that other keys begin with where they have none, or their default. */
  readonly begin?: Readonly<Record<string, unknown>>;
}

/** The choices that an input offers: fields by what they hold or can do, or other names. */
export type OptionSource =
  | 'added'
  | 'askedFields'
  | 'becoming'
  | 'booleans'
  | 'childFields'
  | 'copyTexts'
  | 'counted'
  | 'dates'
  | 'days'
  | 'daysOfMonth'
  | 'editable'
  | 'emails'
  | 'figures'
  | 'fileKinds'
  | 'filters'
  | 'groupings'
  | 'groups'
  | 'images'
  | 'instants'
  | 'layouts'
  | 'levels'
  | 'listGroups'
  | 'listPaths'
  | 'lookupPaths'
  | 'mailPaths'
  | 'moments'
  | 'otherInputs'
  | 'own'
  | 'ownDays'
  | 'ownRelations'
  | 'ownStates'
  | 'pageFields'
  | 'pages'
  | 'people'
  | 'places'
  | 'referrers'
  | 'referring'
  | 'related'
  | 'referenced'
  | 'relations'
  | 'rollups'
  | 'rowActions'
  | 'rowColumns'
  | 'runAs'
  | 'sameType'
  | 'selfRelations'
  | 'series'
  | 'sharable'
  | 'shared'
  | 'short'
  | 'states'
  | 'statesOfField'
  | 'summable'
  | 'summedFields'
  | 'tabs'
  | 'targetFields'
  | 'timesOfDay'
  | 'treeRelations'
  | 'unidentified'
  | 'writable';

/** The words and examples that every key can have. */
export interface Words extends PanelWords {
  /** One or two sentences for the documentation, completion and messages. */
  readonly help?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly onRemoval?: RemovalPolicy;
  /** Two versions of it are never joined: a mix would mean something that nobody wrote. So are conditions. */
  readonly isWhole?: boolean;
}

interface TextLimits extends Words {
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface ListLimits extends Words {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** No entry twice. */
  readonly unique?: boolean;
  /** The key that tells its entries apart. Default: each is told by its whole value. */
  readonly identity?: string;
}

/**
 * A key with a schema of its own, for what no other constructor can say.
 *
 * @example keyWith<number[]>({ type: 'array', items: { type: 'integer' } }, { help: 'The days.' });
 */
export function keyWith<Value>(
  schema: KeySchema,
  { help, default: defaultValue, examples, onRemoval, isWhole, ...panel }: Words = {},
): Key<Value> {
  const withWords = {
    ...schema,
    ...(help !== undefined && { description: help }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(examples && { examples }),
    ...(onRemoval && { onRemoval }),
    ...(isWhole && { isWhole }),
    ...(Object.keys(panel).length > 0 && { panel }),
  };
  return withWords as KeySchema as Key<Value>;
}

/** Text of at least one character. */
export function text({ pattern, format, minLength = 1, maxLength, ...words }: TextLimits = {}): Key<string> {
  const limits = {
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
    // A pattern says itself whether nothing matches it.
    ...((pattern === undefined || format !== undefined) && minLength > 0 && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
  return keyWith({ type: 'string', ...limits }, words);
}

/** Text with names of fields in braces: `{first_name} {last_name}`. */
export function template(limits: TextLimits & Omit<Reference, 'kind'> = {}): Key<string> {
  const { in: resourceKey, words, through: pathKind, ...rest } = limits;
  const reference: Reference = {
    kind: 'template',
    ...(resourceKey && { in: resourceKey }),
    ...(words && { words }),
    ...(pathKind && { through: pathKind }),
  };
  return Object.assign(text(rest), { reference });
}

/** Yes or no. */
export function flag(words: Words = {}): Key<boolean> {
  return keyWith({ type: 'boolean' }, words);
}

interface NumberLimits extends Words {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A whole number. */
export function integer({ minimum, maximum, ...words }: NumberLimits = {}): Key<number> {
  return numeric('integer', minimum, maximum, words);
}

/** Any number. */
export function number({ minimum, maximum, ...words }: NumberLimits = {}): Key<number> {
  return numeric('number', minimum, maximum, words);
}

function numeric(type: string, minimum: number | undefined, maximum: number | undefined, words: Words): Key<number> {
  return keyWith({ type, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }, words);
}

/** One of these values. */
export function choice<const Value extends string | number | boolean | null>(
  values: readonly Value[],
  words: Words = {},
): Key<Value> {
  return keyWith({ enum: [...values] }, words);
}

/** Any value. */
export function anyValue(words: Words = {}): Key<unknown> {
  return keyWith({}, words);
}

/** A value of a record, or of a request: a plain one, or one that is taken from another record, such as `$record.id`. */
export function recordValue({ withTemplate, ...words }: Words & Pick<Reference, 'withTemplate'> = {}): Key<unknown> {
  const reference: Reference = { kind: 'value', ...(withTemplate && { withTemplate }) };
  return Object.assign(anyValue(words), { reference });
}

/** Entries of one kind, in their order. */
export function list<Item extends Key>(
  item: Item,
  { minItems, maxItems, unique, identity, ...words }: ListLimits = {},
): Key<ValueOf<Item>[]> {
  const limits = {
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(unique && { uniqueItems: true }),
    ...(identity !== undefined && { identity }),
  };
  return keyWith({ type: 'array', items: item, ...limits }, words);
}

/** Two entries, such as where something begins and ends. */
export function pair<Item extends Key>(item: Item, words: Words = {}): Key<[ValueOf<Item>, ValueOf<Item>]> {
  return keyWith({ type: 'array', items: item, minItems: 2, maxItems: 2 }, words);
}

/** The values of these keys. Mapped over `Pick`, so that editors lead from a key of a value to its description. */
export type KeysOf<Keys extends Readonly<Record<string, Key>>, Required extends keyof Keys> = {
  -readonly [Name in keyof Pick<Keys, Required>]: ValueOf<Keys[Name]>;
} & { -readonly [Name in keyof Pick<Keys, Exclude<keyof Keys, Required>>]?: ValueOf<Keys[Name]> };

interface PartOptions<Keys extends Record<string, Key>, Required extends keyof Keys> extends Words {
  readonly keys: Keys;
  readonly required?: readonly Required[];
  /** Other keys are allowed too. */
  readonly open?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Keywords that relate keys to each other. */
  readonly schema?: KeySchema;
}

/**
 * An object with these keys and no others.
 *
 * @example part({ help: 'The board.', required: ['column'], keys: { column: fieldName(), sum: fieldName() } });
 */
export function part<const Keys extends Record<string, Key>, const Required extends keyof Keys = never>({
  keys,
  required: requiredKeys,
  open,
  minProperties,
  maxProperties,
  schema,
  ...words
}: PartOptions<Keys, Required>): Key<KeysOf<Keys, Required>> & { readonly properties: Keys } {
  const limits = {
    ...(!open && { additionalProperties: false }),
    ...(requiredKeys && { required: requiredKeys as readonly unknown[] as string[] }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  };
  return keyWith<KeysOf<Keys, Required>>({ type: 'object', properties: keys, ...limits, ...schema }, words) as never;
}

interface RecordLimits extends Words {
  /** The kind of its names. Default: any. */
  readonly names?: Key<string>;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** An object whose names are free, or of one kind, with values of one kind (default: any). */
export function record<Value extends Key = Key>(
  value: Value | undefined,
  { names, minProperties, maxProperties, ...words }: RecordLimits = {},
): Key<Record<string, ValueOf<Value>>> {
  const limits = {
    ...(names && {
      propertyNames: {
        ...(names.pattern !== undefined && { pattern: names.pattern }),
        ...(names.reference && { reference: { ...names.reference, isEntryKey: true } }),
        ...(names.onRemoval && { onRemoval: names.onRemoval }),
      },
    }),
    ...(value && { additionalProperties: value }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  };
  return keyWith({ type: 'object', ...limits }, words);
}

/**
 * One of several kinds of values, told apart by their type in JSON: `true` or an object, a text or a list.
 *
 * @example either([flag(), part({ keys: { path: text() } })], { help: 'Whether there is an export, and how.', default: true });
 */
export function union<const Alternatives extends readonly Key[]>(
  alternatives: Alternatives,
  words: Words = {},
): Key<ValueOf<Alternatives[number]>> {
  const types: string[] = [];
  const mergedSchema: KeySchema = {};
  const allOf: KeySchema[] = [];
  for (const { type, description: _help, panel: _panel, ...rest } of alternatives as readonly KeySchema[]) {
    if (rest.$ref !== undefined) {
      types.push('object');
      allOf.push({ if: { type: 'object' }, then: rest });
    } else if (type === undefined) {
      const [value] = rest.enum ?? [rest.const];
      types.push(typeof value);
      allOf.push({ if: { type: typeof value }, then: rest });
    } else {
      types.push(...[type].flat());
      Object.assign(mergedSchema, rest);
    }
  }
  return keyWith({ type: types, ...mergedSchema, ...(allOf.length > 0 && { allOf }) }, words);
}

/** This value alone. */
export function exactly<const Value extends boolean | string>(value: Value, words: Words = {}): Key<Value> {
  return keyWith({ const: value }, words);
}

/** A value that is described in another file of the language, such as `list.schema.json`, or in this one (`#…`). */
export function schemaRef<Value>(file: string, { onRemoval, ...words }: Words = {}, reference?: Reference): Key<Value> {
  const { help, default: defaultValue, examples, isWhole } = words;
  const hasWords = [help, defaultValue, examples, isWhole].some((word) => word !== undefined);
  return keyWith<Value>(
    {
      ...(hasWords ? { allOf: [{ $ref: file }] } : { $ref: file }),
      ...(reference && { reference }),
      ...(onRemoval && { onRemoval }),
    },
    words,
  );
}

/** A whole file of the language. */
export function file<Value>(title: string, key: Key<Value>): Key<Value> {
  return Object.assign(keyWith<Value>({ $schema: 'http://json-schema.org/draft-07/schema#', title }), key);
}
