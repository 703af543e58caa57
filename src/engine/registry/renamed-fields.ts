import type { Condition, Definition, Field, ResourceRecord } from '../definitions/definition';
import type { Registry } from './registry';
import { rowDefinition } from '../field-types/row-definition';
import { isRows } from '../field-types/rows';
import { presentValue } from '../field-types/former-values';

/**
 * The present name of a field that was called otherwise before (`formerName`), unless another field is called so now.
 */
function presentName(definition: Definition, name: string): string {
  if (Object.hasOwn(definition.fields, name)) return name;
  return Object.values(definition.fields).find(({ formerName }) => formerName === name)?.name ?? name;
}

/**
 * A condition with the present names of the fields that it compares: those of the definition, and those at the end of paths
 * and in `$some`, in whichever module, and with the present values of options. A path that it cannot follow stays as it is.
 *
 * @example followInCondition({ 'film_id.notes': 'x' }, shots, registry); // { 'film_id.remarks': 'x' }
 */
export function followInCondition(
  condition: Condition,
  definition: Definition | undefined,
  registry: Pick<Registry, 'get'>,
): Condition {
  const entries = Object.entries(condition).map(([key, value]): [string, unknown] => {
    if (key === '$and' || key === '$or' || key === '$nor')
      return [
        key,
        Array.isArray(value)
          ? value.map((part) => (isObject(part) ? followInCondition(part, definition, registry) : (part as unknown)))
          : value,
      ];
    if (key === '$not') return [key, isObject(value) ? followInCondition(value, definition, registry) : value];
    if (key.startsWith('$') || !definition) return [key, value];
    const path = followPath(key, definition, registry);
    return [path.name, isObject(value) ? followInOperators(value, path, registry) : followInValue(value, path.field)];
  });
  return Object.fromEntries(entries) as Condition;
}

function followInOperators(
  operators: ResourceRecord,
  path: FollowedPath,
  registry: Pick<Registry, 'get'>,
): ResourceRecord {
  return Object.fromEntries(
    Object.entries(operators).map(([operator, value]) => {
      if (operator === '$some' && isObject(value)) return [operator, followInCondition(value, path.target, registry)];
      if (operator === '$not' && isObject(value)) return [operator, followInOperators(value, path, registry)];
      return [operator, followInValue(value, path.field)];
    }),
  );
}

/**
 * A field, or a path through relations or their embeds, with present names.
 *
 * @example followName('film.notes', shots, registry); // 'film.remarks'
 */
export function followName(path: string, definition: Definition, registry: Pick<Registry, 'get'>): string {
  return followPath(path, definition, registry).name;
}

/**
 * The present value of a filter, by its field or a path to it; several values may be a list, or a text with commas.
 *
 * @example followFilterValue('state', 'in_work', deals, registry); // 'working'
 */
export function followFilterValue(
  path: string,
  value: unknown,
  definition: Definition,
  registry: Pick<Registry, 'get'>,
): unknown {
  const { field } = followPath(path, definition, registry);
  if (!field?.options) return value;
  if (isObject(value)) return followInOperators(value, { name: path, field, target: undefined }, registry);
  if (typeof value !== 'string' || !value.includes(',')) return followInValue(value, field);
  return value
    .split(',')
    .map((text) => String(followInValue(text, field)))
    .join(',');
}

function followInValue(value: unknown, field: Field | undefined): unknown {
  return field ? presentValue(field, value) : value;
}

/** A path with present names, the field at its end, and the definition of the records that it leads to. */
interface FollowedPath {
  readonly name: string;
  readonly field: Field | undefined;
  readonly target: Definition | undefined;
}

function followPath(path: string, definition: Definition, registry: Pick<Registry, 'get'>): FollowedPath {
  const [head = '', ...rest] = path.split('.');
  const name = presentName(definition, head);
  const field = fieldOf(definition, name);
  const target = field && targetOf(definition, field, registry);
  if (rest.length === 0) return { name, field, target };
  if (!target) return { name: [name, ...rest].join('.'), field: undefined, target: undefined };
  const innerPath = followPath(rest.join('.'), target, registry);
  return { ...innerPath, name: `${name}.${innerPath.name}` };
}

/** A field by its name, or by that of its embed. */
function fieldOf({ fields }: Definition, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : Object.values(fields).find(({ embed }) => embed === name);
}

function targetOf(definition: Definition, field: Field, registry: Pick<Registry, 'get'>): Definition | undefined {
  return isRows(field) ? rowDefinition(definition, field) : registry.get(field.to ?? field.inverse?.resource);
}

const isObject = (value: unknown): value is ResourceRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
