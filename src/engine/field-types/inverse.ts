import type { Definition, Field, FieldOf } from '../definitions/definition';
import type { FieldType } from './field-type';
import { relation } from './relation';

/** The records of another resource that point here; never written from this side. */
export const inverse: FieldType = {
  ...relation,
  holds: 'referrers',
  normalise: (
    { source, sum, showFields = [], maxItems, latestBy, valueStrip, indirectRelation, distinctBy, ...keptKeys },
    { name },
  ) => ({
    inverse: source === undefined ? undefined : sideOf(source),
    inLists: distinctBy !== undefined ? 'records' : maxItems === undefined ? 'count' : 'nothing',
    countName: `${name}_count`,
    sum: sum === undefined ? undefined : { field: sum, name: `${name}_sum` },
    // Each record has the fields that it is shown and ordered by.
    showFields: [...new Set([...showFields, ...[valueStrip, latestBy].filter((name) => name !== undefined)])],
    maxItems,
    latestBy: maxItems === undefined ? latestBy : (latestBy ?? 'created_at'),
    valueStrip,
    indirectRelation: indirectRelation === undefined ? undefined : pathOf(indirectRelation),
    distinctBy,
    ...keptKeys,
    // Conditions know the records that point here, not the latest of them, nor those beyond them.
    ...((maxItems !== undefined || indirectRelation !== undefined || distinctBy !== undefined) && {
      filterable: false,
    }),
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

/**
 * The resource of the records that an inverse shows: those that point here, or those that these refer to.
 *
 * @example shownResource(field, registry.get(field.inverse.resource)); // 'users'
 */
export function shownResource({ inverse: { resource }, distinctBy }: FieldOf<'inverse'>, source?: Definition): string {
  return distinctBy === undefined ? resource : (source?.fields[distinctBy]?.to ?? resource);
}

/** The two relations of `relation.field`. */
function pathOf(path: string): { relation: string; field: string } {
  const dot = path.indexOf('.');
  return { relation: path.slice(0, dot), field: path.slice(dot + 1) };
}

/** The relation named by `resource.field`. */
function sideOf(path: string): { resource: string; field: string } {
  const dot = path.indexOf('.');
  return { resource: path.slice(0, dot), field: path.slice(dot + 1) };
}

/**
 * Whether a field has the records that point here.
 *
 * @example fields.filter(isInverse).map(({ of }) => of); // ['tasks.project_id']
 */
export function isInverse(field: Field): field is FieldOf<'inverse'> {
  return field.type === 'inverse';
}
