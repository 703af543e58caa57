import type { ComponentType } from 'react';
import type { FieldOf, FieldTypeName } from '../../engine/definitions/definition';
import { Cell as boolean } from './boolean/Cell';
import { Cell as date } from './date/Cell';
import { Cell as email } from './email/Cell';
import { Cell as icon } from './icon/Cell';
import { Cell as image } from './image/Cell';
import { Cell as inverse } from './inverse/Cell';
import { Cell as json } from './json/Cell';
import { Cell as number } from './number/Cell';
import { Cell as password } from './password/Cell';
import { Cell as permissions } from './permissions/Cell';
import { Cell as relation } from './relation/Cell';
import { Cell as relations } from './relations/Cell';
import { Cell as select } from './select/Cell';
import { Cell as shareLink } from './shareLink/Cell';
import { Cell as text } from './text/Cell';
import { Cell as time } from './time/Cell';
import { Cell as url } from './url/Cell';
import type { CellProps } from './fieldComponents';
import './fields.css';

const cells: { readonly [Name in FieldTypeName]: ComponentType<CellProps<FieldOf<Name>>> } = {
  boolean,
  date,
  email,
  icon,
  image,
  inverse,
  json,
  number,
  password,
  permissions,
  relation,
  relations,
  select,
  shareLink,
  text,
  time,
  url,
  datetime: date,
  duration: number,
  phone: text,
  richText: text,
  textarea: text,
};

/**
 * The cell of each field type, to be rendered with the field that it was looked up by. Separate from the inputs, which
 * lists and boards don't load.
 */
export const fieldCells = cells as Readonly<Record<FieldTypeName, ComponentType<CellProps>>>;
