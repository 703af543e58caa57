import { columnOf } from '../field-types';
import type { Definition, Field } from './definition';
import { normalise } from './normalise';
import { at, type Fault } from './paths';
import type { Source } from './source';

/** What a definition that is changed while the program runs has to keep. */
export interface Kept {
  /** What was shipped of the name; undefined for one that was made here. */
  readonly shipped: Source | undefined;
  /** The fields that the program itself reads. */
  readonly needed: readonly string[];
}

/**
 * What somebody may not do to a definition who changes it while the program runs, other than whoever writes its file:
 * reach what lies behind the definitions, or take from the program what it stands on.
 */
export function checkKept(source: Source, { shipped, needed }: Kept): Fault[] {
  const definition = read(source);
  if (!definition) return [];
  if (!shipped) return checkOwn(source);
  const before = normalise(shipped);
  const faults: Fault[] = [];
  if (definition.scope !== before.scope)
    faults.push({
      path: '/scope',
      message: `Records stay where they live: the scope of what ships is "${before.scope}".`,
    });
  if (source.was !== shipped.was) faults.push({ path: '/was', message: 'What ships keeps its name.' });
  if (definition.system !== before.system)
    faults.push({ path: '/system', message: `This stays ${before.system}: the program counts on it.` });
  if (JSON.stringify(definition.rows) !== JSON.stringify(before.rows))
    faults.push({ path: '/rows', message: 'The rows that ship with it stay as they are.' });
  if (definition.delete.keep !== before.delete.keep)
    faults.push({ path: '/delete/keep', message: `This stays ${before.delete.keep}: the program counts on it.` });
  return [
    ...faults,
    ...checkHooks(definition, before),
    ...checkFields(definition, before, new Set(needed)),
    ...checkSystem(definition, before),
  ];
}

/** What a text means that has passed the schemas; what has not has faults enough. */
function read(source: Source): Definition | undefined {
  try {
    return normalise(source);
  } catch {
    return undefined;
  }
}

/** A definition that ships with nothing has nothing behind it. */
function checkOwn(source: Source): Fault[] {
  const faults: Fault[] = [];
  if (source.rows !== undefined)
    faults.push({ path: '/rows', message: 'Only what comes with the program ships rows.' });
  if (source.system)
    faults.push({ path: '/system', message: 'Only what comes with the program is written by the program.' });
  if (source.hooks !== undefined && Object.keys(source.hooks).length > 0)
    faults.push({ path: '/hooks', message: 'Hooks are written for what comes with the program.' });
  for (const [name, field] of Object.entries(source.fields)) {
    if (!field.virtual) continue;
    const message = 'Only hooks could store this field, and there are none here: leave "virtual" out.';
    faults.push({ path: at('/fields', name, 'virtual'), message });
  }
  return faults;
}

/** Hooks guard who may do what; one may be added, none may be left out. */
function checkHooks(definition: Definition, before: Definition): Fault[] {
  return Object.entries(before.hooks).flatMap(([event, names]) => {
    const now = definition.hooks[event as keyof Definition['hooks']] ?? [];
    const gone = names.filter((name) => !now.includes(name));
    return gone.map((name) => ({ path: at('/hooks', event), message: `The hook "${name}" has to stay.` }));
  });
}

function checkFields(definition: Definition, before: Definition, needed: ReadonlySet<string>): Fault[] {
  return Object.values(before.fields).flatMap((was): Fault[] => {
    if (was.system || (!was.secret && !needed.has(was.name))) return [];
    const path = at('/fields', was.name);
    const now = Object.hasOwn(definition.fields, was.name) ? definition.fields[was.name] : undefined;
    const why = was.secret ? 'it is secret' : 'the program itself reads it';
    if (!now) return [{ path, message: `The field "${was.name}" has to stay: ${why}.` }];
    if (was.secret && !now.secret)
      return [{ path: at(path, 'secret'), message: `"${was.name}" is secret and stays so.` }];
    if (same(now, was)) return [];
    return [{ path: at(path, 'type'), message: `"${was.name}" has to stay what it is (${was.type}): ${why}.` }];
  });
}

/** No column joins a table that is the program's own, and its access stays with the levels that it ships for. */
function checkSystem(definition: Definition, before: Definition): Fault[] {
  if (!before.system) return [];
  const added = Object.values(definition.fields).filter(
    (field) => columnOf(field) !== null && field.computed === undefined && !Object.hasOwn(before.fields, field.name),
  );
  const faults = added.map(({ name }) => ({
    path: at('/fields', name),
    message: 'The program itself writes these records: no field can be added to them.',
  }));
  for (const key of ['rules', 'grants'] as const) {
    if (JSON.stringify(definition[key]) === JSON.stringify(before[key])) continue;
    faults.push({ path: `/${key}`, message: 'Who may read these records stays as it ships.' });
  }
  return faults;
}

/** Whether the program finds in a field what it expects there. */
function same(now: Field, was: Field): boolean {
  const oneWay = now.type === 'password' || was.type === 'password';
  return (
    columnOf(now) === columnOf(was) &&
    (!oneWay || now.type === was.type) &&
    (now.type === 'relations') === (was.type === 'relations') &&
    now.to === was.to &&
    now.inverse?.resource === was.inverse?.resource &&
    now.virtual === was.virtual &&
    (now.computed === undefined) === (was.computed === undefined)
  );
}
