import type { Field } from '../definitions/definition';
import type { FieldSource, Source } from '../definitions/source';

/** The part of JSON Schema that field types use; the same schema serves ajv, the form, and the OpenAPI document. */
export interface ValueSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'date' | 'date-time' | 'time' | 'email' | 'uri';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly (string | number)[];
  readonly items?: ValueSchema;
  readonly uniqueItems?: boolean;
  readonly maxItems?: number;
  readonly readOnly?: boolean;
  readonly description?: string;
}

/** The PostgreSQL type of a value. */
export type ColumnType = 'text' | 'integer' | 'double precision' | 'boolean' | 'date' | 'timestamptz(3)' | 'jsonb';

/** Where a field is written: its name, the definition around it, and whether the engine adds it. */
export interface FieldContext {
  readonly name: string;
  readonly source: Source;
  readonly system: boolean;
}

/** What the engine knows about a field type. One file each; `field-types/index.ts` is the registry. */
export interface FieldType<Of extends Field = Field> {
  /** The keys of a written field that only some types have. */
  readonly keys: readonly (keyof FieldSource)[];
  /** Those of them that a field cannot do without. */
  readonly neededKeys?: readonly (keyof FieldSource)[];
  /** The properties of the normalised field that come from `keys`; default: the keys as written. */
  normalise?(written: FieldSource, context: FieldContext): object;
  /** The column type, or null if the resource's table has no column. */
  readonly column: ColumnType | null;
  /** The schema of a value that is there (null is a matter of `required`). */
  schema(field: Of): ValueSchema;
  /** The schema of a value in a response, if it differs from the stored one. */
  responseSchema?(field: Of): ValueSchema;
  /** Converts a stored value for a response, if they differ. */
  toResponse?(value: unknown): unknown;
  /** Converts a value from a JSON body to its stored form; an unreadable value stays unchanged and fails the schema. */
  parse(value: unknown, field: Of): unknown;
  /** Reads text (a query, a form part, a sheet's cell). `undefined`: unreadable. */
  fromText(text: string, field: Of): unknown;
  /** The value as text, for history, chips and spreadsheets. The caller resolves related records. */
  toText(value: unknown, field: Of): string;
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
  /** The kind of its spreadsheet cell; default: text. */
  readonly cellKind?: 'number' | 'day' | 'instant' | 'time' | 'hours';
  /** Stays out of spreadsheets and the history. */
  readonly isPrivate?: boolean;
  /** The default share of the form's row. */
  readonly width: 'full' | 'half' | 'quarter';
  /** The default maximum length. */
  readonly maxLength?: number;
}
