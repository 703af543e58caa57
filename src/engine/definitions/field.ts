/** The fields of a normalised definition: a union discriminated by `type`. */

import type { Audience } from './level';

export const fieldTypeNames = [
  'text',
  'textarea',
  'richText',
  'number',
  'money',
  'boolean',
  'date',
  'time',
  'datetime',
  'email',
  'url',
  'phone',
  'password',
  'select',
  'icon',
  'relation',
  'relations',
  'inverse',
  'json',
  'permissions',
  'image',
  'files',
  'duration',
  'shareLink',
  'sequence',
  'lookup',
  'rollup',
  'rows',
] as const;
export type FieldTypeName = (typeof fieldTypeNames)[number];

/** A predicate as data, in the one condition grammar (see `conditions/grammar.ts`). */
export interface Condition {
  readonly [key: string]: unknown;
}

/** The meanings of colours; the theme defines the colours. */
export const tones = ['urgent', 'high', 'medium', 'low', 'neutral', 'info', 'violet', 'teal'] as const;
export type Tone = (typeof tones)[number];

/** One of the fixed values of a `select` field. */
export interface SelectOption {
  readonly value: string | number;
  readonly label: string;
  readonly tone?: Tone;
  /** Its former value, which stored rows had and programs may still send. */
  readonly formerValue?: string | number;
}

/** A change of a field's value that is allowed. */
export interface Transition extends Audience {
  readonly from: readonly SelectOption['value'][];
  readonly to: readonly SelectOption['value'][];
  /** Of its button. */
  readonly label?: string;
  /** Of its button; default: an arrow. */
  readonly icon?: string;
  /** Its effect, in few words beside its label; `{field}` stands for a value of the record. */
  readonly effect?: string;
  /** Only for records that match. */
  readonly where?: Condition;
  /** `where` as text, for messages. */
  readonly condition?: string;
  /** Fields that must have a value afterwards. */
  readonly requiredFields: readonly string[];
}

/** The properties of a field of every type. */
export interface FieldBase {
  readonly name: string;
  readonly label: string;
  /** One sentence under the input. */
  readonly help?: string;
  readonly placeholder?: string;
  /** Text in lists and cards when there is no value. */
  readonly emptyText?: string;
  /** The API insists on a value. */
  readonly required: boolean;
  /** Required in the form (always true if `required` is). */
  readonly requiredInForm: boolean;
  /** Required if this condition matches the record to be stored. */
  readonly requiredWhen?: Condition;
  /** Not writable: values sent by clients are ignored. */
  readonly readOnly: boolean;
  readonly readOnlyWhen?: Condition;
  /** Shown in the form only if this matches; a hidden field is never required. */
  readonly visible?: Condition;
  /** A value, or `$actor.…`, `$today`, `$now`. */
  readonly default?: unknown;
  /** No two records of the company (or of the installation) have the same value, ignoring case. */
  readonly unique?: 'company' | 'installation';
  /**
   * Computed when read, never stored: a condition (boolean), a template such as `{first_name} {last_name}` (text), or an
   * expression such as `{"$multiply": ["$record.price", "$record.quantity"]}`. `computedKind` says which.
   */
  readonly computed?: Condition | string;
  /** The field's former name: sync renames the column instead of adding one. */
  readonly formerName?: string;
  /** Added by the engine (id, stamps, company, archive). */
  readonly system: boolean;
  /** Never leaves the server, not even in the history. */
  readonly secret: boolean;
  /** Read from tables of the server, not from a column of the resource's table. */
  readonly virtual: boolean;
  /** Part of the search over all text (`q`). */
  readonly searchable: boolean;
  readonly sortable: boolean;
  readonly filterable: boolean;
  /** The share of the form's row. */
  readonly width: 'full' | 'half' | 'quarter';
}

/** The limits of written text. */
interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly patternMessage?: string;
}

/** Comparisons with another field of the same type. */
interface OrderedValues {
  /** A field of this record that this one must not be before (an end after its start). */
  readonly notBefore?: string;
  /** A field of this record that this one must be after. */
  readonly laterThan?: string;
}

/** One line of text. */
export interface TextField extends FieldBase, TextLimits {
  readonly type: 'text' | 'email' | 'url' | 'phone' | 'password';
  /** text: forms name records with a similar text while it is typed. */
  readonly similar?: true;
}

/** Text of several lines, plain or formatted. */
export interface LongTextField extends FieldBase, TextLimits {
  readonly type: 'textarea' | 'richText';
  /** Visible lines. */
  readonly lines?: number;
  /** textarea: its text can have marks, see `formats/markdown.ts`. */
  readonly markdown?: boolean;
}

export interface NumberField extends FieldBase, OrderedValues {
  readonly type: 'number';
  readonly min?: number;
  readonly max?: number;
  /** Whole numbers only. */
  readonly integer: boolean;
  /** Stored exactly, with `digits` decimals; more are refused. */
  readonly decimal?: boolean;
  /** The number of decimals shown, and stored if it is `decimal`. */
  readonly digits?: number;
  /** Whether to show thousands separators; false for numbers that are identifiers, such as years. */
  readonly separators?: boolean;
  /** In a registry: they are minutes, taken from durations. */
  readonly isMinutes?: true;
  /** In a registry: the number of the record that it is a part of; of minutes a number of hours. */
  readonly of?: string;
}

/** An exact amount of money. */
export interface MoneyField extends FieldBase {
  readonly type: 'money';
  /** The code of the currency of all amounts. */
  readonly currency?: string;
  /** The field of the record that has the code, where amounts have currencies of their own. */
  readonly currencyField?: string;
  /** The number of decimals stored and shown. */
  readonly digits: number;
  readonly min?: number;
  readonly max?: number;
}

export interface DateField extends FieldBase, OrderedValues {
  readonly type: 'date';
  /** The latest day allowed. */
  readonly maxDate?: '$today';
}

export interface TimeField extends FieldBase, OrderedValues {
  readonly type: 'time';
  /** The date field that has its day; responses put that day before the time. */
  readonly dateField?: string;
  /** A time of the same day: forms of new records offer the latest one among the caller's records of that day. */
  readonly suggestedFrom?: string;
}

export interface DatetimeField extends FieldBase, OrderedValues {
  readonly type: 'datetime';
}

export interface SelectField extends FieldBase {
  readonly type: 'select';
  readonly options: readonly SelectOption[];
  /** It has several of them. */
  readonly multiple?: true;
  /** The value of a new record, if `transitions` lead on from it. */
  readonly initial?: SelectOption['value'];
  /** The only changes of a stored value; undefined: any. */
  readonly transitions?: readonly Transition[];
}

/** The properties that `relation` and `relations` have in common. */
interface RelationTarget {
  /** The resource it points to. */
  readonly to: string;
  /** The property of the response with the related record. */
  readonly embed?: string;
  /** The fields of the embed besides id and title. */
  readonly embedFields: readonly string[];
  /** Which targets can be chosen; keys are fields or parameters of the target. */
  readonly choices?: Condition;
  /** The effect on this record when its target is deleted; always `restrict` for `relations`. */
  readonly onDelete: 'restrict' | 'cascade' | 'clear';
}

/** One record of another resource, or of its own. */
export interface RelationField extends FieldBase, RelationTarget {
  readonly type: 'relation';
  /** The record lives within its target, and is hidden while that is archived. */
  readonly container: boolean;
  /** It remembers which version of its target was meant: see `pins.ts`. */
  readonly pin?: true;
  /** The state of a new record, if `transitions` lead on from it: the name of a record that it refers to. */
  readonly initial?: string;
  /** The only changes of a stored value, between records that are named by `transitionsBy`; undefined: any. */
  readonly transitions?: readonly Transition[];
  /** The field of the target by which `initial` and `transitions` name records; there whenever they are. */
  readonly transitionsBy?: string;
  /** To its own resource: the maximum depth of nesting (2: parent and child). */
  readonly maxDepth?: number;
  /** The number of a related record that says how deep it may be here, up to `maxDepth`; empty: 2. */
  readonly depth?: { readonly relation: string; readonly field: string };
}

/** The part of several related records that lists contain. Single records always contain the records. */
interface RelatedRecords {
  readonly inLists: 'count' | 'records' | 'nothing';
  /** The name of the count in lists. */
  readonly countName: string;
}

/** Many records of another resource. */
export interface RelationsField extends FieldBase, RelationTarget, RelatedRecords {
  readonly type: 'relations';
}

/** The records of another resource that point here. */
export interface InverseField extends FieldBase, RelatedRecords {
  readonly type: 'inverse';
  /** The relation on the other side. */
  readonly inverse: { readonly resource: string; readonly field: string };
  /** The number or duration of its records that lists carry the sum of, and the sum's name in them. */
  readonly sum?: { readonly field: string; readonly name: string };
  /** The fields of its records besides id and title. */
  readonly showFields: readonly string[];
  /** Only so many of its records, those with the greatest `latestBy`, the greatest last. All of them if undefined. */
  readonly maxItems?: number;
  readonly latestBy?: string;
  /** The select field whose values are shown side by side. */
  readonly valueStrip?: string;
  /** Records that point here through another record, too: the relation to that one, and its relation to this one. */
  readonly indirectRelation?: { readonly relation: string; readonly field: string };
  /** A relation of its records: shown are the records that they refer to by it, each once. */
  readonly distinctBy?: string;
  /** The fields whose change is a change of its records too: the form asks before it is saved. */
  readonly confirmChangesOf?: readonly string[];
}

/** The time between two times of the record. */
export interface DurationField extends FieldBase {
  readonly type: 'duration';
  /** Its start and end time. */
  readonly span: { readonly from: string; readonly to: string };
}

/** A public link to the record. */
export interface ShareLinkField extends FieldBase {
  readonly type: 'shareLink';
  /** The application's path before the link's token. */
  readonly path: string;
  /** The fields that visitors see, besides the record's title. */
  readonly sharedFields: readonly string[];
}

/** A readable key such as `TC-142`, given by the server to each new record. */
export interface SequenceField extends FieldBase {
  readonly type: 'sequence';
  /** Text around `{n}`, with fields of the record and of its related records: `{project_id.code}-{n}`. */
  readonly format: string;
  /** Whose records are numbered together: `company`, `installation`, or those with the same value of a relation. */
  readonly partitionBy: string;
  /** No number is left out: whoever creates a record waits until those before it are stored. */
  readonly gapless: boolean;
}

/**
 * A value of related records, as written; in a registry it has the type of that value. `computed` says which value.
 */
export interface DerivedField extends FieldBase {
  readonly type: 'lookup' | 'rollup';
  readonly digits?: number;
  /** rollup: the number of the record that it is a part of. */
  readonly of?: string;
}

/** Rows of the record itself, in their order. */
export interface RowsField extends FieldBase, RelatedRecords {
  readonly type: 'rows';
  /** Its columns: fields of each row. */
  readonly columns: Readonly<Record<string, Field>>;
  /** How many rows there must be, and how many there can be. */
  readonly minItems: number;
  readonly maxItems: number;
  /** A row whose column `by` names a record stands for the rows that this has in its field `rows`. */
  readonly insertedRows?: { readonly by: string; readonly rows: string };
}

/** Several files. */
export interface FilesField extends FieldBase {
  readonly type: 'files';
  /** The kinds that it takes: `image/*`, `application/pdf`. */
  readonly accept: readonly string[];
  /** How many there can be. */
  readonly maxItems: number;
  /** The greatest size of each, in bytes. */
  readonly maxBytes: number;
}

/** Types without properties of their own. */
export interface PlainField extends FieldBase {
  readonly type: 'boolean' | 'icon' | 'image';
}

export interface JsonField extends FieldBase {
  readonly type: 'json';
  /** The resource of which it has a list query, whose names of fields follow when those are renamed. */
  readonly queryResource?: string;
}

export interface PermissionsField extends FieldBase {
  readonly type: 'permissions';
  /** The relation of the same record to a record with permissions, beyond which these cannot go. */
  readonly limitedBy?: string;
}

type FieldKinds =
  | JsonField
  | PermissionsField
  | TextField
  | LongTextField
  | NumberField
  | MoneyField
  | DateField
  | TimeField
  | DatetimeField
  | SelectField
  | RelationField
  | RelationsField
  | InverseField
  | DurationField
  | ShareLinkField
  | SequenceField
  | DerivedField
  | RowsField
  | FilesField
  | PlainField;

type KeyOf<Kinds> = Kinds extends unknown ? keyof Kinds : never;

/** Every kind with the properties of the other kinds as absent, so that testing one of them narrows the union too. */
export type Exclusive<Kinds, AllKeys extends PropertyKey = KeyOf<Kinds>> = Kinds extends unknown
  ? Kinds & { [Key in Exclude<AllKeys, keyof Kinds>]?: undefined }
  : never;

/**
 * A field of a definition. Its type decides which properties it has: after `field.type === 'relation'`, or
 * `field.to !== undefined`, it has those of a relation.
 */
export type Field = Exclusive<FieldKinds>;

/** The fields of one type. */
export type FieldOf<Type extends FieldTypeName> = OfType<Field, Type>;

type OfType<Kinds extends Field, Type> = Kinds extends unknown
  ? Type extends Kinds['type']
    ? Kinds & { readonly type: Type }
    : never
  : never;

/** A field that holds ids of another resource: one, or many. */
export type AnyRelationField = Extract<Field, { readonly to: string }>;

/** A field of a type with several related records, or with rows. */
export type AnyRecordsField = Extract<Field, { readonly countAs: string }>;

/** A stored or returned record: field names to values. */
export type ResourceRecord = Record<string, unknown>;
