import { columnTypeOf, fieldTypeOf } from '../field-types';
import { isRelations } from '../field-types/relations';
import type { Definition, Field } from './definition';
import { normalise } from './normalise';
import { joinPointer, type Problem } from './problems';
import type { Source } from './source';

/** What a definition that is changed at runtime must preserve. */
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
export function checkUpgradeConstraints(source: Source, { shipped, needed }: UpgradeConstraints): Problem[] {
  const definition = tryNormalise(source);
  if (!definition) return [];
  if (!shipped) return checkCustom(source);
  const before = normalise(shipped);
  const faults: Problem[] = [];
  if (definition.scope !== before.scope)
    faults.push({
      path: '/scope',
      message: `The scope of a shipped definition cannot be changed: it is "${before.scope}".`,
    });
  if (source.formerName !== shipped.formerName)
    faults.push({ path: '/formerName', message: 'A shipped definition keeps its name.' });
  if (definition.system !== before.system)
    faults.push({ path: '/system', message: `This must stay ${before.system}: the program depends on it.` });
  if (JSON.stringify(definition.rows) !== JSON.stringify(before.rows))
    faults.push({ path: '/rows', message: 'The shipped rows cannot be changed.' });
  if (definition.delete.keep !== before.delete.keep)
    faults.push({ path: '/delete/keep', message: `This must stay ${before.delete.keep}: the program depends on it.` });
  return [
    ...faults,
    ...checkHooks(definition, before),
    ...checkFields(definition, before, new Set(needed)),
    ...checkSystem(definition, before),
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
function checkHooks(definition: Definition, before: Definition): Problem[] {
  return Object.entries(before.hooks).flatMap(([event, names]) => {
    const now = definition.hooks[event as keyof Definition['hooks']] ?? [];
    const gone = names.filter((name) => !now.includes(name));
    return gone.map((name) => ({
      path: joinPointer('/hooks', event),
      message: `The hook "${name}" cannot be removed.`,
    }));
  });
}

function checkFields(definition: Definition, before: Definition, needed: ReadonlySet<string>): Problem[] {
  return Object.values(before.fields).flatMap((was): Problem[] => {
    if (was.system || (!was.secret && !needed.has(was.name))) return [];
    const path = joinPointer('/fields', was.name);
    const now = Object.hasOwn(definition.fields, was.name) ? definition.fields[was.name] : undefined;
    const why = was.secret ? 'it is secret' : 'the program uses it';
    if (!now) return [{ path, message: `The field "${was.name}" cannot be removed: ${why}.` }];
    if (was.secret && !now.secret)
      return [{ path: joinPointer(path, 'secret'), message: `"${was.name}" is secret and must stay secret.` }];
    if (isCompatible(now, was)) return [];
    return [{ path: joinPointer(path, 'type'), message: `"${was.name}" must keep its type (${was.type}): ${why}.` }];
  });
}

/** The tables of system definitions get no new columns, and their access cannot be changed. */
function checkSystem(definition: Definition, before: Definition): Problem[] {
  if (!before.system) return [];
  const added = Object.values(definition.fields).filter(
    (field) =>
      columnTypeOf(field) !== null && field.computed === undefined && !Object.hasOwn(before.fields, field.name),
  );
  const faults = added.map(({ name }) => ({
    path: joinPointer('/fields', name),
    message: 'The program writes these records: no field can be added to them.',
  }));
  for (const key of ['rules', 'grants'] as const) {
    if (JSON.stringify(definition[key]) === JSON.stringify(before[key])) continue;
    faults.push({ path: `/${key}`, message: 'Access to these records cannot be changed.' });
  }
  return faults;
}

/** Whether the field still has what the program expects of it. */
function isCompatible(now: Field, was: Field): boolean {
  const oneWay = fieldTypeOf(now).isHashed || fieldTypeOf(was).isHashed;
  return (
    columnTypeOf(now) === columnTypeOf(was) &&
    (!oneWay || now.type === was.type) &&
    isRelations(now) === isRelations(was) &&
    now.to === was.to &&
    now.inverse?.resource === was.inverse?.resource &&
    now.virtual === was.virtual &&
    (now.computed === undefined) === (was.computed === undefined)
  );
}
