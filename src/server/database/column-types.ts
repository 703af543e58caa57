import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** A column of the engine's tables: its type in PostgreSQL, and what is read from it and written to it. */
export interface Column<Type> {
  readonly type: string;
  readonly isNullable: boolean;
  /** It has a value without one being given. */
  readonly hasDefault: boolean;
  /** For the compiler alone. */
  readonly values?: Type;
}

const column = <Type>(type: string): Column<Type> => ({ type, isNullable: false, hasDefault: false });
export const bigint = column<number>('bigint');
export const boolean = column<boolean>('boolean');
export const bytes = column<Buffer>('bytea');
/** `YYYY-MM-DD` */
export const day = column<string>('date');
/** Read as ISO 8601 in UTC. */
export const instant = column<ColumnType<string, Date | string, Date | string>>('timestamp with time zone');
export const integer = column<number>('integer');
/** Read as a value, written as JSON text. */
export const json = column<ColumnType<unknown, string, string>>('jsonb');
export const smallint = column<number>('smallint');
export const text = column<string>('text');
export const idList = column<number[]>('ARRAY');
export const textList = column<string[]>('ARRAY');
/** The number of a transaction. */
export const transaction = column<string>('xid8');
export const uuid = column<string>('uuid');

export const nullable = <Type>({ type, hasDefault }: Column<Type>): Column<Nullable<Type>> => ({
  type,
  isNullable: true,
  hasDefault,
});
export const withDefault = <Type>({ type, isNullable }: Column<Type>): Column<WithDefault<Type>> => ({
  type,
  isNullable,
  hasDefault: true,
});
export const identity = <Type>({ type }: Column<Type>): Column<GeneratedAlways<Type>> => ({
  type,
  isNullable: false,
  hasDefault: true,
});

type Nullable<Type> = [Type] extends [ColumnType<infer Read, infer Written, unknown>]
  ? ColumnType<Read | null, Written | null | undefined, Written | null>
  : ColumnType<Type | null, Type | null | undefined, Type | null>;

type WithDefault<Type> = [Type] extends [ColumnType<unknown, unknown, unknown>]
  ? ColumnType<Type['__select__'], Type['__insert__'] | undefined, Type['__update__']>
  : Generated<Type>;
