import type { AnyRelationField, Definition, Field, FieldOf } from '../definitions/definition';
import type { AnyFieldSource, Source } from '../language/source';
import type { FieldType } from './field-type';
import { scalarText } from './text';
import { normaliseTransitions } from './transitions';

/** The largest id there can be: JSON's numbers are exact up to it. */
export const maxId = Number.MAX_SAFE_INTEGER;

/**
 * Reads an id from text; `undefined` if it is not one.
 *
 * @example parseId(' 42 '); // 42
 */
export function parseId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text.trim()) ? Number(text) : 0;
  return isRecordId(id) ? id : undefined;
}

/**
 * Whether a value can be the id of a record.
 *
 * @example isRecordId(0); // false
 */
export function isRecordId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/**
 * The fields that the engine adds for a relation with `pin`: `pin` is `updated_at` of the target as it was when it was
 * chosen or last taken, `latest` that of the target now, and `changed` whether it is a later one. For readers who may not
 * see the target, `latest` is null and `changed` false, whatever happened to it.
 *
 * @example pinNames('terms_id').changed; // 'terms_id_changed'
 */
export function pinNames(relation: string): {
  readonly pin: string;
  readonly latest: string;
  readonly changed: string;
} {
  return { pin: `${relation}_pin`, latest: `${relation}_latest`, changed: `${relation}_changed` };
}

/** A relation to its own resource nests records, unless it only refers to the original of a copy. */
function nests(name: string, fieldSource: AnyFieldSource, source: Source): boolean {
  return fieldSource.to === source.name && source.copy?.originalField !== name;
}

/** The depth of nesting that a definition or a related record does not say: parent and child. */
export const usualDepth = 2;

/** `project_id.section_depth` in its parts. */
function depthOf(path: string): { readonly relation: string; readonly field: string } {
  const [relation = '', field = ''] = path.split('.');
  return { relation, field };
}

/** One record of another resource (or of its own), by id. */
export const relation: FieldType = {
  holds: 'record',
  normalise: ({ pin, depth, transitions, transitionsBy = 'name', ...fieldSource }, { name, source, system }) => ({
    onDelete: 'restrict',
    container: false,
    ...(nests(name, fieldSource, source) && !system && { maxDepth: usualDepth }),
    ...fieldSource,
    // A list knows the states of its records by what it has of the related ones.
    embedFields: [...new Set([...(fieldSource.embedFields ?? []), ...(transitions ? [transitionsBy] : [])])],
    ...(pin && { pin }),
    ...(depth !== undefined && { depth: depthOf(depth) }),
    ...(transitions && { transitions: normaliseTransitions(transitions), transitionsBy }),
  }),
  column: 'bigint',
  schema: () => ({ type: 'integer', minimum: 1, maximum: maxId }),
  parse: (value) => (value === '' ? null : value),
  fromText: parseId,
  toText: scalarText,
  shownWith: ({ name, pin }) => (pin ? [pinNames(name).changed] : []),
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: false,
  isDetail: true,
  isUsualFilter: true,
  width: 'half',
  fitsCell: true,
};

/**
 * Whether a field refers to one record, by a column.
 *
 * @example isStoredRelation(deals.fields.company_id!); // true
 */
export function isStoredRelation(field: Field): field is FieldOf<'relation'> {
  return isRelation(field) && field.computed === undefined && !field.virtual && !field.secret;
}

/**
 * Whether a field holds the id of one record.
 *
 * @example fields.find(isRelation)?.to; // 'projects'
 */
export function isRelation(field: Field): field is FieldOf<'relation'> {
  return field.type === 'relation';
}

/**
 * Whether a field is a relation whose value is a state: only its transitions change it, and they name records of the
 * target instead of ids.
 *
 * @example fields.filter(isStateRelation).map(({ transitionsBy }) => transitionsBy); // ['name']
 */
export function isStateRelation(field: Field): field is FieldOf<'relation'> & Required<StateKeys> {
  return field.type === 'relation' && field.transitions !== undefined;
}

type StateKeys = Pick<FieldOf<'relation'>, 'transitions' | 'transitionsBy'>;

/**
 * Whether a field holds ids of another resource: one, or many.
 *
 * @example fields.filter(isAnyRelation).map(({ to }) => to); // ['projects', 'users']
 */
export function isAnyRelation(field: Field): field is AnyRelationField {
  return field.to !== undefined;
}

/**
 * The relation by which the records of a definition are a tree: that to the record above. Undefined if they are none.
 *
 * @example treeParent(locations)?.name; // 'parent_id'
 */
export function treeParent({ name, fields }: Definition): FieldOf<'relation'> | undefined {
  return Object.values(fields)
    .filter(isRelation)
    .find(
      (field) => field.to === name && field.maxDepth !== undefined && !field.virtual && field.computed === undefined,
    );
}
