import { fieldTypeOf, columnTypeOf } from '../field-types';
import { plainTypeOf } from '../field-types/lookup';
import { isAnyRelation, isStoredRelation } from '../field-types/relation';
import type { Definitions } from '../expressions/placed-fields';
import type { AnyRelationField, Definition, Field, FieldOf } from '../definitions/definition';
import { labelOf, templateFields } from '../definitions/labels';
import { lastOf } from '../values/lookups';

/** The longest name of a column in an answer of PostgreSQL. */
export const maxPathLength = 63;

/** The end of a path through relations: the field, and the relations that lead to it. */
interface PathEnd {
  readonly relations: readonly FieldOf<'relation'>[];
  /** The definition that the field belongs to. */
  readonly target: Definition;
  readonly field: Field;
}

/**
 * Whether a field is that of a path, which the engine added: no definition has it.
 *
 * @example isPathField({ name: 'company.country.name' }); // true
 */
export function isPathField({ name }: Pick<Field, 'name'>): boolean {
  return name.includes('.');
}

/**
 * The relation that a step of a path leads through, by its name or by that of its embed.
 *
 * @example relationAt(deals, 'company')?.name; // 'company_id'
 */
export function relationAt({ fields }: Definition, step: string): Field | undefined {
  return Object.values(fields).find((field) => isAnyRelation(field) && (field.embed === step || field.name === step));
}

/**
 * Follows a path through relations to one record each; undefined if there is no such path, or no single value at its end.
 */
function findPathEnd(path: string, source: Definition, definitions: Definitions): PathEnd | undefined {
  const steps = path.split('.');
  const relations: FieldOf<'relation'>[] = [];
  let target = source;
  for (const step of steps.slice(0, -1)) {
    const relation = relationAt(target, step);
    const next = relation && isStoredRelation(relation) ? definitions.get(relation.to) : undefined;
    if (!next) return undefined;
    relations.push(relation as FieldOf<'relation'>);
    target = next;
  }
  const name = lastOf(steps);
  const field = Object.hasOwn(target.fields, name) ? target.fields[name] : undefined;
  return field && isSingleValue(field) ? { relations, target, field } : undefined;
}

/**
 * Whether a field has one value, which a list can show, sort and filter.
 *
 * @example isSingleValue(companies.fields.name!); // true
 */
export function isSingleValue(field: Field): boolean {
  const type = fieldTypeOf(field);
  const isHidden = field.secret || field.virtual || type.isHashed || type.isPrivate;
  if (isHidden || field.multiple || type.hasMarkup) return false;
  return (field.computed !== undefined || columnTypeOf(field) !== null) && plainTypeOf(type) !== undefined;
}

/**
 * Whether the embed of a relation contains this field of its target.
 *
 * @example isEmbedded(deals.fields.company_id, companies, 'name'); // true
 */
export function isEmbedded(relation: AnyRelationField, target: Definition, name: string): boolean {
  return name === 'id' || templateFields(target.recordTitle).includes(name) || relation.embedFields.includes(name);
}

/**
 * Whether a path is shown from the embed of a relation, which responses have anyway.
 *
 * @example isEmbedPath('company.name', deals, registry.definitions); // true
 */
export function isEmbedPath(path: string, source: Definition, definitions: Definitions): boolean {
  const [first, second, ...extraSteps] = path.split('.') as [string, string?];
  if (second === undefined || extraSteps.length > 0) return false;
  const relation = Object.values(source.fields).find((field) => field.embed === first);
  const target = relation && isAnyRelation(relation) ? definitions.get(relation.to) : undefined;
  if (!target || !relation || !isAnyRelation(relation)) return false;
  return isEmbedded(relation, target, second);
}

/** The paths of a definition's list and downloads. Those that are compared are sorted or filtered by. */
function pathsOf({ list, exports = {} }: Definition): {
  readonly shownPaths: string[];
  readonly comparedPaths: string[];
} {
  const isPath = (name: string | undefined): name is string => name !== undefined && name.includes('.');
  const shownPaths = [
    ...list.columns.flatMap(({ field, secondLine = [] }) => [field, ...secondLine]),
    ...(list.card ? [...list.card.marks, ...list.card.lines.map(({ field }) => field)] : []),
    ...(list.kanban?.lines.map(({ field }) => field) ?? []),
    ...(list.gallery?.fields ?? []),
    ...Object.values(exports).flatMap(({ columns }) =>
      columns.flatMap(({ field, text = '' }) => [field, ...templateFields(text)]),
    ),
  ];
  const comparedPaths = [
    list.sort.field,
    ...list.sortChoices,
    ...list.filters.map(({ field }) => field),
    ...list.saved.map(({ settings }) => settings.sort?.replace(/^-/, '')),
  ];
  return { shownPaths: shownPaths.filter(isPath), comparedPaths: comparedPaths.filter(isPath) };
}

/**
 * The definitions with a field for each path of their lists (`company.country.name`) that responses do not have anyway: a
 * lookup under the name of the path, so that it is read, sorted, filtered and exported as any lookup is. A field whose path
 * cannot be followed among these definitions stays as it was: a reader may not have all of them.
 */
export function addPathFields(definitions: Definitions): Definitions {
  const entries = [...definitions.values()].map((definition): [string, Definition] => {
    const { shownPaths, comparedPaths } = pathsOf(definition);
    if (shownPaths.length + comparedPaths.length === 0 && !Object.values(definition.fields).some(isPathField))
      return [definition.name, definition];
    return [definition.name, withPathFields(definition, shownPaths, comparedPaths, definitions)];
  });
  return new Map(entries);
}

function withPathFields(
  definition: Definition,
  shownPaths: readonly string[],
  comparedPaths: readonly string[],
  definitions: Definitions,
): Definition {
  const writtenFields = Object.entries(definition.fields).filter(([, field]) => !isPathField(field));
  const paths = [
    ...new Set([...shownPaths.filter((path) => !isEmbedPath(path, definition, definitions)), ...comparedPaths]),
  ];
  const addedFields = paths.flatMap((path): [string, Field][] => {
    const end = path.length > maxPathLength ? undefined : findPathEnd(path, definition, definitions);
    const formerField = Object.hasOwn(definition.fields, path) ? definition.fields[path] : undefined;
    const field = end ? pathField(path, end, definition) : formerField;
    return field ? [[path, field]] : [];
  });
  const fields: Record<string, Field> = Object.fromEntries([...writtenFields, ...addedFields]);
  const addLabels = <Part extends { readonly field: string; readonly label: string }>(parts: readonly Part[]) =>
    parts.map((part) => {
      const field = part.label === labelOf(part.field) && Object.hasOwn(fields, part.field) && fields[part.field];
      return field ? { ...part, label: field.label } : part;
    });
  const list = {
    ...definition.list,
    columns: addLabels(definition.list.columns),
    filters: addLabels(definition.list.filters),
  };
  return Object.freeze({ ...definition, list: Object.freeze(list), fields: Object.freeze(fields) });
}

function pathField(path: string, { relations, field, target }: PathEnd, { list }: Definition): Field {
  const labelledPart = [...list.columns, ...list.filters].find(
    (part) => part.field === path && part.label !== labelOf(path),
  );
  const last = lastOf(relations).label;
  return Object.freeze({
    name: path,
    label: labelledPart?.label ?? (field.name === target.titleField ? last : `${last} ${field.label}`),
    type: 'lookup',
    computed: { $lookup: [...relations, field].map(({ name }) => name).join('.') },
    required: false,
    requiredInForm: false,
    readOnly: true,
    system: false,
    secret: false,
    virtual: false,
    searchable: false,
    sortable: true,
    filterable: true,
    width: 'half',
  }) as unknown as Field;
}
