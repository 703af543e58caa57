import type { FieldOf, FieldTypeName } from '../../engine/definitions/definition';
import * as boolean from './boolean';
import * as date from './date';
import * as datetime from './datetime';
import * as duration from './duration';
import * as email from './email';
import * as icon from './icon';
import * as image from './image';
import * as inverse from './inverse';
import * as json from './json';
import * as number from './number';
import type { FieldComponents } from './fieldComponents';
import * as password from './password';
import * as permissions from './permissions';
import * as phone from './phone';
import * as relation from './relation';
import * as relations from './relations';
import * as richText from './richText';
import * as select from './select';
import * as shareLink from './shareLink';
import * as text from './text';
import * as textarea from './textarea';
import * as time from './time';
import * as url from './url';
import './fields.css';

const components: { readonly [Name in FieldTypeName]: FieldComponents<FieldOf<Name>> } = {
  text,
  textarea,
  richText,
  number,
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
  duration,
  shareLink: { ...shareLink, actsAtOnce: true },
};

/**
 * The input and cell of each field type, to be rendered with the field that they were looked up by: the application's
 * side of the registry of field types.
 */
export const fieldComponents = components as Readonly<Record<FieldTypeName, FieldComponents>>;

export type { CellProps, FieldComponents, InputProps } from './fieldComponents';
