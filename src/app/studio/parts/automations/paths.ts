import type { AnyFieldSource, Source } from '../../../../engine/language/source';
import { labelOf } from '../../../../engine/definitions/labels';
import type { Registry } from '../../../../engine/registry/registry';
import { fieldTypes, writtenTypeOf } from '../../../../engine/field-types';
import type { VariableOption } from '../../conditions/conditionValueProps';
import { moduleSubjects, type Subject } from '../../conditions/subjects';
import { variablesFor } from '../../../../engine/studio/condition-operators';
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
function pathsTo(source: Source, registry: Registry, condition: (field: AnyFieldSource) => boolean): Option[] {
  const ownFields = draftFields(source);
  const direct = ownFields.filter(({ field }) => condition(field)).map(({ name, label }) => ({ value: name, label }));
  const relatedPaths = ownFields.flatMap(({ name, label, field }) =>
    writtenTypeOf(field).holds !== 'record'
      ? []
      : fieldsOf(field.to, source, registry)
          .filter((candidate) => condition(candidate.field))
          .map((candidate) => ({ value: `${name}.${candidate.name}`, label: `${label} › ${candidate.label}` })),
  );
  return [...direct, ...relatedPaths];
}

/** Paths to users: a single one, or any number. */
export function userPaths(source: Source, registry: Registry, isSingle: boolean): Option[] {
  const people = allFields(source).created_by?.to ?? 'users';
  return pathsTo(
    source,
    registry,
    (field) => field.to === people && (writtenTypeOf(field).holds === 'record' || !isSingle),
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
  const { isDerived, isHashed, holds: valueKind } = writtenTypeOf(field);
  const isStored = field.computed === undefined && !isDerived && !isHashed;
  return isStored && !notWritten.has(name) && valueKind !== 'rows' && valueKind !== 'referrers';
}

/** The fields of a resource that an automation can give a value. */
export function settableFields(resource: string | undefined, source: Source, registry: Registry): Subject[] {
  return fieldsOf(resource, source, registry).filter(({ name, field }) => isSettable(field, name));
}

/** The variables that can stand for a value that an automation gives a field, besides a fixed one. */
export function valueVariables(field: AnyFieldSource, source: Source, eachField: string | undefined): VariableOption[] {
  const { holds: valueKind } = writtenTypeOf(field);
  const recordName = source.labels.one.toLowerCase();
  const similarFields = draftFields(source).filter(
    (candidate) =>
      writtenTypeOf(candidate.field).holds === valueKind && candidate.field.to === field.to && candidate.name !== 'id',
  );
  const eachOf = eachField === undefined ? undefined : allFields(source)[eachField];
  const eachResource = eachOf?.to ?? eachOf?.source?.split('.')[0];
  return [
    { value: null, words: 'empty' },
    ...variablesFor(field.type ?? 'text', field.to),
    ...(valueKind === 'record' && field.to === source.name
      ? [{ value: '$record.id', words: `the ${recordName}` }]
      : []),
    ...(valueKind === 'record' && eachResource !== undefined && field.to === eachResource
      ? [{ value: '$each.id', words: 'each of the records' }]
      : []),
    ...similarFields.map(({ name, label }) => ({ value: `$record.${name}`, words: `${label} of the ${recordName}` })),
  ];
}
