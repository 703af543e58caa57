import type { Field, ResourceRecord } from '../definitions/definition';
import type { AnyFieldSource, Source } from '../language/source';

/** The part of JSON Schema that field types use; the same schema serves ajv, the form, and the OpenAPI document. */
export interface ValueSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'date' | 'date-time' | 'time' | 'end-time' | 'email' | 'uri';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly (string | number)[];
  readonly items?: ValueSchema;
  readonly uniqueItems?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly readOnly?: boolean;
  readonly description?: string;
}

/** The PostgreSQL type of a value. */
export type ColumnType =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'text[]'
  | 'integer[]'
  | 'double precision'
  | `numeric(15,${number})`
  | 'boolean'
  | 'date'
  | 'timestamptz(3)'
  | 'jsonb';

/** A rule that a value breaks, and its limit. */
export interface BrokenRule {
  readonly keyword: string;
  readonly limit?: unknown;
}

/** Where a field is written: its name, the definition around it, and whether the engine adds it. */
export interface FieldContext {
  readonly name: string;
  readonly source: Source;
  readonly system: boolean;
}

/**
 * The kind of a value. `record` and `records`: the ids of one or of many records of another resource; `referrers`: the
 * records of another resource that point here; `rows`: those of the record itself; `object`: anything else that has no order.
 */
export type ValueKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'day'
  | 'time'
  | 'instant'
  | 'minutes'
  | 'record'
  | 'records'
  | 'referrers'
  | 'rows'
  | 'object';

/**
 * The knowledge of the engine about a field type. One file each; `field-types/index.ts` is the registry. An optional key has
 * a default that suits most types.
 */
export interface FieldType<Of extends Field = Field> {
  /** The kind of value, which generic code goes by: filters, boards, the operators of conditions. */
  readonly holds: ValueKind;
  /** The kind of source for a field with `computed`; the default: it cannot be computed. */
  readonly computedFrom?: 'condition' | 'template';
  /** The properties of the normalised field that come from the keys that only some types have; default: the keys as written. */
  normalise?(written: AnyFieldSource, context: FieldContext): object;
  /** The column type, or null if the resource's table has no column. */
  readonly column: ColumnType | null;
  /** The column type of a field whose keys decide; default: `column`. */
  columnOf?(field: Of): ColumnType | undefined;
  /** The rule of the type that a value breaks although it fits the schema: one that JSON Schema cannot express. */
  brokenRule?(value: unknown, field: Of): BrokenRule | undefined;
  /** The schema of a value that is there (null is a matter of `required`). */
  schema(field: Of): ValueSchema;
  /** The text after the field's label in the API document: ` in EUR`. */
  unit?(field: Of): string;
  /** The schema of a value in a response, if it differs from the stored one. */
  responseSchema?(field: Of): ValueSchema;
  /** Converts a stored value for a response, if they differ. */
  toResponse?(value: unknown): unknown;
  /** The same as `toResponse` as an SQL expression of the stored value's expression. */
  responseSql?(value: string): string;
  /** Converts a value from a JSON body to its stored form; an unreadable value stays unchanged and fails the schema. */
  parse(value: unknown, field: Of): unknown;
  /** Reads text (a query, a form part, a sheet's cell). `undefined`: unreadable. */
  fromText(text: string, field: Of): unknown;
  /**
   * The value as text, for history, chips and spreadsheets. The caller resolves related records. `record` has the other
   * values of `shownWith`, where the caller knows them.
   */
  toText(value: unknown, field: Of, record?: ResourceRecord): string;
  /** Other fields of the record that its text is made with; default: none. */
  shownWith?(field: Of): readonly string[];
  /** The whole text of a value with markup, with its lines and lists; default: the value itself. */
  toPlainText?(value: unknown): string;
  /** One side of a change in the history, where more than the value is shown; undefined: the value as text. */
  describeChange?(
    change: { readonly old: unknown; readonly new: unknown },
    side: 'old' | 'new',
    field: Of,
  ): string | undefined;
  /** The message for a value that is too short or has characters that are not allowed; default: a message for any text. */
  readonly ruleMessage?: string;
  /** Found by the search over all text. */
  readonly searchable: boolean;
  readonly sortable: boolean;
  readonly filterable: boolean;
  /** Filters as `x_from` and `x_to` too. */
  readonly hasRangeFilter: boolean;
  /** Computed by the server: never written by clients. */
  readonly isDerived?: boolean;
  /** Stored as a one-way hash. */
  readonly isHashed?: boolean;
  /** Text that can contain markup, which the server sanitises. */
  readonly hasMarkup?: boolean;
  /** Whether two stored values (null: none) are equal; default: identity. */
  isEqual?(one: unknown, other: unknown): boolean;
  /** The value that the history stores; default: the value itself. */
  toHistory?(value: unknown): unknown;
  /** Stays out of spreadsheets and the history. */
  readonly isPrivate?: boolean;
  /** Whether visitors can see it through a share link; default: true. */
  readonly isSharable?: boolean;
  /** Whether a spreadsheet's cell can fill it; default: true, unless it is derived or hashed. */
  readonly isImportable?: boolean;
  /** Whether its column can have an index; default: true. */
  readonly isIndexable?: boolean;
  /** Its values can be added up. */
  readonly isSummable?: boolean;
  /** A condition can only test whether it has a value. */
  readonly onlyPresence?: boolean;
  /** The text by which people know a record: its title, if the definition names no other. */
  readonly isTitle?: boolean;
  /** Names or addresses of a person, which the person's password must not contain. */
  readonly isPersonal?: boolean;
  /** Short enough to be shown beside a title in selects. */
  readonly isDetail?: boolean;
  /** Whether a list without columns of its own shows it; default: if it can be sorted. */
  readonly inDefaultColumns?: boolean;
  /** Its input has room in a cell of a list, where it can be edited. */
  readonly fitsCell?: boolean;
  /** The list of a new module filters by it. */
  readonly isUsualFilter?: boolean;
  /** Numbers within its text sort by their value: `TC-9` before `TC-10`. */
  readonly sortsByNumbers?: boolean;
  /** The default share of the form's row. */
  readonly width: 'full' | 'half' | 'quarter';
  /** The default maximum length. */
  readonly maxLength?: number;
}

/**
 * The value of a spreadsheet cell. A day is `YYYY-MM-DD`, an instant ISO 8601 in UTC, a time `HH:mm` or `YYYY-MM-DD
 * HH:mm` without a time zone, hours have decimals, and an amount is a number that is shown with its digits and
 * currency.
 */
export type Cell =
  | string
  | number
  | { readonly day: string }
  | { readonly instant: string }
  | { readonly time: string }
  | { readonly hours: number }
  | { readonly amount: number; readonly digits: number; readonly currency?: string }
  | null;

/** How a field type is written to spreadsheets and read from them, where that differs from its text. */
export interface SheetType<Of extends Field = Field> {
  /** The cell of a value as in list responses; `undefined`: its text. */
  toCell?(value: unknown, field: Of, record?: ResourceRecord): Cell | undefined;
  /** Reads a cell's text in more ways than `fromText`. `undefined`: unreadable. */
  fromCell?(text: string, field: Of): unknown;
  /** Why a text is unreadable, where more can be said than that it is no value of the type. */
  cellProblem?(text: string, field: Of): string | undefined;
  /** All values that a cell can have, for a drop-down. */
  choices?(field: Of): readonly string[];
  /** The cell of a file that shows what can be imported. `today`: `YYYY-MM-DD`. */
  example?(field: Of, today: string): Cell;
}
