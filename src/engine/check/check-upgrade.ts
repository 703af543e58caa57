import { columnTypeOf, fieldTypeOf } from '../field-types';
import { isRelations } from '../field-types/relations';
import type { Definition, Field } from '../definitions/definition';
import { normalise } from '../normalise/normalise';
import { joinPointer, type Problem } from '../definitions/problems';
import type { Source } from '../language/source';

/** The parts that a change of a definition at runtime must preserve. */
export interface UpgradeConstraints {
  /** The shipped definition of that name; undefined if it was created in this installation. */
  readonly shipped: Source | undefined;
  /** The fields that the program itself reads. */
  readonly needed: readonly string[];
}

/**
 * Restrictions for changing a definition at runtime, which do not apply to its file in the repository: the change must
 * not reach data behind the definitions or remove what the program depends on.
 *
 * @example checkUpgradeConstraints(source, { shipped, needed }); // [] if an administrator may publish it
 */
export function checkUpgradeConstraints(
  source: Source,
  { shipped: shippedSource, needed: neededFields }: UpgradeConstraints,
): Problem[] {
  const definition = tryNormalise(source);
  if (!definition) return [];
  if (!shippedSource) return checkCustom(source);
  const shippedDefinition = normalise(shippedSource);
  const faults: Problem[] = [];
  if (definition.scope !== shippedDefinition.scope)
    faults.push({
      path: '/scope',
      message: `The scope of a shipped definition cannot be changed: it is "${shippedDefinition.scope}".`,
    });
  if (source.formerName !== shippedSource.formerName)
    faults.push({ path: '/formerName', message: 'A shipped definition keeps its name.' });
  if (definition.system !== shippedDefinition.system)
    faults.push({ path: '/system', message: `This must stay ${shippedDefinition.system}: the program depends on it.` });
  if (JSON.stringify(definition.rows) !== JSON.stringify(shippedDefinition.rows))
    faults.push({ path: '/rows', message: 'The shipped rows cannot be changed.' });
  if (definition.delete.keep !== shippedDefinition.delete.keep)
    faults.push({
      path: '/delete/keep',
      message: `This must stay ${shippedDefinition.delete.keep}: the program depends on it.`,
    });
  return [
    ...faults,
    ...checkHooks(definition, shippedDefinition),
    ...checkFields(definition, shippedDefinition, new Set(neededFields)),
    ...checkSystem(definition, shippedDefinition),
  ];
}

/** The normalised definition. A text that fails the schemas gets its problems elsewhere. */
function tryNormalise(source: Source): Definition | undefined {
  try {
    return normalise(source);
  } catch {
    return undefined;
  }
}

/** A definition that is not shipped has no code or rows behind it. */
function checkCustom(source: Source): Problem[] {
  const faults: Problem[] = [];
  if (source.rows !== undefined) faults.push({ path: '/rows', message: 'Only shipped definitions can have rows.' });
  if (source.system) faults.push({ path: '/system', message: 'Only shipped definitions can be system definitions.' });
  if (source.hooks !== undefined && Object.keys(source.hooks).length > 0)
    faults.push({ path: '/hooks', message: 'Only shipped definitions can have hooks.' });
  for (const [name, field] of Object.entries(source.fields)) {
    if (!field.virtual) continue;
    const message = 'Only hooks can store a virtual field, and this definition has none: remove "virtual".';
    faults.push({ path: joinPointer('/fields', name, 'virtual'), message });
  }
  return faults;
}

/** Hooks enforce access: hooks can be added, but not removed. */
function checkHooks(definition: Definition, shippedDefinition: Definition): Problem[] {
  return Object.entries(shippedDefinition.hooks).flatMap(([event, names]) => {
    const now = definition.hooks[event as keyof Definition['hooks']] ?? [];
    const removedNames = names.filter((name) => !now.includes(name));
    return removedNames.map((name) => ({
      path: joinPointer('/hooks', event),
      message: `The hook "${name}" cannot be removed.`,
    }));
  });
}

function checkFields(
  definition: Definition,
  shippedDefinition: Definition,
  neededFields: ReadonlySet<string>,
): Problem[] {
  return Object.values(shippedDefinition.fields).flatMap((shippedField): Problem[] => {
    if (shippedField.system || (!shippedField.secret && !neededFields.has(shippedField.name))) return [];
    const path = joinPointer('/fields', shippedField.name);
    const now = Object.hasOwn(definition.fields, shippedField.name) ? definition.fields[shippedField.name] : undefined;
    const reason = shippedField.secret ? 'it is secret' : 'the program uses it';
    if (!now) return [{ path, message: `The field "${shippedField.name}" cannot be removed: ${reason}.` }];
    if (shippedField.secret && !now.secret)
      return [{ path: joinPointer(path, 'secret'), message: `"${shippedField.name}" is secret and must stay secret.` }];
    if (isCompatible(now, shippedField)) return [];
    return [
      {
        path: joinPointer(path, 'type'),
        message: `"${shippedField.name}" must keep its type (${shippedField.type}): ${reason}.`,
      },
    ];
  });
}

/** The tables of system definitions get no new columns, and their access cannot be changed. */
function checkSystem(definition: Definition, shippedDefinition: Definition): Problem[] {
  if (!shippedDefinition.system) return [];
  const addedColumns = Object.values(definition.fields).filter(
    (field) =>
      columnTypeOf(field) !== null &&
      field.computed === undefined &&
      !Object.hasOwn(shippedDefinition.fields, field.name),
  );
  const faults = addedColumns.map(({ name }) => ({
    path: joinPointer('/fields', name),
    message: 'The program writes these records: no field can be added to them.',
  }));
  for (const key of ['rules', 'grants'] as const) {
    if (JSON.stringify(definition[key]) === JSON.stringify(shippedDefinition[key])) continue;
    faults.push({ path: `/${key}`, message: 'Access to these records cannot be changed.' });
  }
  return faults;
}

/** Whether the field still has what the program expects of it. */
function isCompatible(now: Field, shippedField: Field): boolean {
  const oneWay = fieldTypeOf(now).isHashed || fieldTypeOf(shippedField).isHashed;
  return (
    columnTypeOf(now) === columnTypeOf(shippedField) &&
    (!oneWay || now.type === shippedField.type) &&
    isRelations(now) === isRelations(shippedField) &&
    now.to === shippedField.to &&
    now.inverse?.resource === shippedField.inverse?.resource &&
    now.virtual === shippedField.virtual &&
    (now.computed === undefined) === (shippedField.computed === undefined)
  );
}
