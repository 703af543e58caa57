import type { Field } from '../definitions/definition';

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

/** How PostgreSQL keeps a value. */
export type ColumnType = 'text' | 'integer' | 'double precision' | 'boolean' | 'date' | 'timestamptz(3)' | 'jsonb';

/** What the engine knows about one kind of field. One file each; `field-types/index.ts` is the registry. */
export interface FieldType {
  /** The column, or null where the resource's table keeps none. */
  readonly column: ColumnType | null;
  /** The schema of a value that is there (null is a matter of `required`). */
  schema(field: Field): ValueSchema;
  /** The schema of an answered value, where it is another than that of a stored one. */
  answered?(field: Field): ValueSchema;
  /** A stored value as it is answered, where that is another. */
  answer?(value: unknown): unknown;
  /** Brings a value from a JSON body to its stored form; what cannot be read stays as it is, for the schema to refuse. */
  parse(value: unknown, field: Field): unknown;
  /** Reads text (a query, a form part, a sheet's cell). `undefined`: unreadable. */
  fromText(text: string, field: Field): unknown;
  /** The value in words, for history, chips and sheets. Related records are named by the caller. */
  toText(value: unknown, field: Field): string;
  /** Found by the search over all text. */
  readonly searchable: boolean;
  readonly sortable: boolean;
  readonly filterable: boolean;
  /** Filters as `x_from` and `x_to` too. */
  readonly ranged: boolean;
  /** Made by the server from other fields or by itself: never written by clients. */
  readonly derived?: boolean;
  /** Stored as a one-way hash. */
  readonly oneWay?: boolean;
  /** Text that may hold markup, to be cleaned by the server. */
  readonly markup?: boolean;
  /** Whether two stored values (null: none) are equal, so that nothing changes; identity where nothing is said. */
  same?(one: unknown, other: unknown): boolean;
  /** What history keeps of a value; the value itself where nothing is said. */
  kept?(value: unknown): unknown;
  /** What its cell is in a spreadsheet; text where nothing is said. */
  readonly sheet?: 'number' | 'day' | 'instant' | 'time' | 'hours';
  /** Stays out of spreadsheets and the history. */
  readonly private?: boolean;
  /** The share of the form's row unless the definition says otherwise. */
  readonly width: 'full' | 'half' | 'quarter';
  /** Characters unless the definition says otherwise. */
  readonly maxLength?: number;
}
