import type { Key, KeySchema } from '../key';

/** The keys of fields that only some types know. */
export type OptionalCommonKey = 'unique' | 'computed';

/** The keys that fields of a type know, besides those of every field. A product describes those of its types in the same way. */
export interface TypeKeys<
  Keys extends Readonly<Record<string, Key>> = Readonly<Record<string, Key>>,
  Required extends keyof Keys = keyof Keys,
  Common extends OptionalCommonKey = OptionalCommonKey,
> {
  readonly keys: Keys;
  /** Those that a field cannot do without. */
  readonly required?: readonly Required[];
  /** Those of every field that not all types know. */
  readonly common?: readonly Common[];
  /** Schemas for this type alone, of keys that several types have. */
  readonly particulars?: Readonly<Record<string, KeySchema>>;
}

/**
 * The keys that fields of a type know.
 *
 * @example typeKeys({ required: ['max'], common: ['unique'], keys: { max: integer({ label: 'Stars', minimum: 1 }) } });
 */
export function typeKeys<
  const Keys extends Readonly<Record<string, Key>>,
  const Required extends keyof Keys = never,
  const Common extends OptionalCommonKey = never,
>(keys: TypeKeys<Keys, Required, Common>): TypeKeys<Keys, Required, Common> {
  return keys;
}

/** The keys of the types that products added, by the names of these types. `registerFieldTypes` fills it. */
export const addedTypeKeys: Record<string, TypeKeys> = {};
