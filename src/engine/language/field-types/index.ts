import type { FieldTypeName } from '../../definitions/field';
import { boolean } from './boolean';
import { date } from './date';
import { datetime } from './datetime';
import { duration } from './duration';
import { email } from './email';
import { files } from './files';
import { icon } from './icon';
import { image } from './image';
import { inverse } from './inverse';
import { json } from './json';
import { lookup } from './lookup';
import { money } from './money';
import { number } from './number';
import { password } from './password';
import { permissions } from './permissions';
import { phone } from './phone';
import { relation } from './relation';
import { relations } from './relations';
import { richText } from './rich-text';
import { rollup } from './rollup';
import { rows } from './rows';
import { select } from './select';
import { sequence } from './sequence';
import { shareLink } from './share-link';
import { text } from './text';
import { textarea } from './textarea';
import { time } from './time';
import { url } from './url';
import { addedTypeKeys, type TypeKeys } from './type-keys';

/** The keys of each type of the program, besides those of every field. */
export const builtInTypeKeys = {
  text,
  textarea,
  richText,
  number,
  money,
  boolean,
  date,
  time,
  datetime,
  email,
  url,
  phone,
  password,
  select,
  icon,
  relation,
  relations,
  inverse,
  json,
  permissions,
  image,
  files,
  duration,
  shareLink,
  sequence,
  lookup,
  rollup,
  rows,
} satisfies Record<FieldTypeName, TypeKeys>;

/**
 * The same of every type that is registered, those of a product too.
 *
 * @example allTypeKeys().select.required; // ['options']
 */
export function allTypeKeys(): Readonly<Record<string, TypeKeys>> {
  return { ...builtInTypeKeys, ...addedTypeKeys };
}

/**
 * The names of the keys of each type of the program, as `src/engine/normalise/type-key-names.json` has them.
 *
 * @example typeKeyNames().permissions; // ['limitedBy']
 */
export function typeKeyNames(): Record<string, string[]> {
  return Object.fromEntries(Object.entries(builtInTypeKeys).map(([type, { keys }]) => [type, Object.keys(keys)]));
}
