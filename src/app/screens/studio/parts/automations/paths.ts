import type { AnyFieldSource, Source } from '../../../../../engine/definitions/source';
import { labelOf } from '../../../../../engine/definitions/labels';
import type { Registry } from '../../../../../engine/definitions/registry';
import { fieldTypes, writtenTypeOf } from '../../../../../engine/field-types';
import type { VariableOption } from '../../conditions/conditionValueProps';
import { moduleSubjects, type Subject } from '../../conditions/subjects';
import { variablesFor } from '../../../../../engine/studio/condition-operators';
import type { Option } from '../../properties/ChoiceProperty';
import { allFields } from '../../properties/fieldOptions';

/** The fields of a draft, as what can be compared or set. */
function draftFields(source: Source): Subject[] {
  return Object.entries(allFields(source))
    .filter(([, field]) => !field.secret)
    .map(([name, field]) => ({ name, label: field.label ?? labelOf(name), field }));
}

/** The fields of a resource: of the draft if it is the draft's own, else of the published definition. */
export function fieldsOf(resource: string | undefined, source: Source, registry: Registry): Subject[] {
  if (resource === source.name) return draftFields(source);
  const definition = registry.get(resource);
  return definition ? moduleSubjects(definition).filter(({ name }) => !name.startsWith('$')) : [];
}

/** The fields of the draft, and those of records that it refers to, that fit: `owner_id`, `project_id.owner_id`. */
function pathsTo(source: Source, registry: Registry, fits: (field: AnyFieldSource) => boolean): Option[] {
  const own = draftFields(source);
  const direct = own.filter(({ field }) => fits(field)).map(({ name, label }) => ({ value: name, label }));
  const further = own.flatMap(({ name, label, field }) =>
    writtenTypeOf(field).holds !== 'record'
      ? []
      : fieldsOf(field.to, source, registry)
          .filter((one) => fits(one.field))
          .map((one) => ({ value: `${name}.${one.name}`, label: `${label} › ${one.label}` })),
  );
  return [...direct, ...further];
}

/** Paths to users: a single one, or any number. */
export function userPaths(source: Source, registry: Registry, single: boolean): Option[] {
  const people = allFields(source).created_by?.to ?? 'users';
  return pathsTo(
    source,
    registry,
    (field) => field.to === people && (writtenTypeOf(field).holds === 'record' || !single),
  );
}

/** Whether a field holds an email address. */
function isAddress(field: AnyFieldSource): boolean {
  return writtenTypeOf(field) === fieldTypes.email;
}

/** Paths to whom a mail can go: users, and fields with an address. */
export function mailPaths(source: Source, registry: Registry): Option[] {
  return [...userPaths(source, registry, false), ...pathsTo(source, registry, isAddress)];
}

const notWritten = new Set(['id', 'created_at', 'updated_at', 'created_by', 'updated_by', 'deleted_at', 'deleted_by']);

/** Whether a field can be given a value. */
export function isSettable(field: AnyFieldSource, name: string): boolean {
  const { isDerived, isHashed, holds } = writtenTypeOf(field);
  const isStored = field.computed === undefined && !isDerived && !isHashed;
  return isStored && !notWritten.has(name) && holds !== 'rows' && holds !== 'referrers';
}

/** The fields of a resource that an automation can give a value. */
export function settableFields(resource: string | undefined, source: Source, registry: Registry): Subject[] {
  return fieldsOf(resource, source, registry).filter(({ name, field }) => isSettable(field, name));
}

/** What can stand for a value that an automation gives a field, besides a fixed one. */
export function valueVariables(field: AnyFieldSource, source: Source, each: string | undefined): VariableOption[] {
  const { holds } = writtenTypeOf(field);
  const one = source.labels.one.toLowerCase();
  const alike = draftFields(source).filter(
    (own) => writtenTypeOf(own.field).holds === holds && own.field.to === field.to && own.name !== 'id',
  );
  const eachOf = each === undefined ? undefined : allFields(source)[each];
  const eachResource = eachOf?.to ?? eachOf?.source?.split('.')[0];
  return [
    { value: null, words: 'empty' },
    ...variablesFor(field.type ?? 'text', field.to),
    ...(holds === 'record' && field.to === source.name ? [{ value: '$record.id', words: `the ${one}` }] : []),
    ...(holds === 'record' && eachResource !== undefined && field.to === eachResource
      ? [{ value: '$each.id', words: 'each of the records' }]
      : []),
    ...alike.map(({ name, label }) => ({ value: `$record.${name}`, words: `${label} of the ${one}` })),
  ];
}
