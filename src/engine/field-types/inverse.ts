import type { Field, FieldOf } from '../definitions/definition';
import type { FieldType } from './field-type';
import { relation } from './relation';

/** The records of another resource that point here; never written from this side. */
export const inverse: FieldType = {
  ...relation,
  holds: 'referrers',
  keys: ['of', 'inLists', 'countAs', 'sum', 'show'],
  neededKeys: ['of'],
  normalise: ({ of, sum, ...written }, { name }) => ({
    inverse: of === undefined ? undefined : sideOf(of),
    inLists: 'count',
    countAs: `${name}_count`,
    sum: sum === undefined ? undefined : { field: sum, name: `${name}_sum` },
    show: [],
    ...written,
  }),
  isDerived: true,
  column: null,
  parse: () => undefined,
  sortable: false,
  isSharable: false,
  isDetail: false,
  isUsualFilter: false,
  width: 'full',
};

/** The relation named by `resource.field`. */
function sideOf(of: string): { resource: string; field: string } {
  const dot = of.indexOf('.');
  return { resource: of.slice(0, dot), field: of.slice(dot + 1) };
}

/**
 * Whether a field has the records that point here.
 *
 * @example fields.filter(isInverse).map(({ of }) => of); // ['tasks.project_id']
 */
export function isInverse(field: Field): field is FieldOf<'inverse'> {
  return field.type === 'inverse';
}
