import { isJsonObject } from './json';

/** The part of JSON Schema used by the schemas. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly propertyNames?: { readonly pattern: string };
  readonly minProperties?: number;
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** A schema, and the file that its references are relative to. */
export interface LocatedSchema {
  readonly file: string;
  readonly schema: Schema;
}

export type Schemas = Readonly<Record<string, object>>;

/**
 * Every schema that applies to a value: the given one, then those it references, combines, or requires under a
 * condition that the value meets. Without a value, every condition counts as met.
 */
export function applicableSchemas(schemas: Schemas, { file, schema }: LocatedSchema, value: unknown): LocatedSchema[] {
  const found: LocatedSchema[] = [{ file, schema }];
  if (schema.$ref !== undefined)
    found.push(...applicableSchemas(schemas, resolveReference(schemas, file, schema.$ref), value));
  for (const one of schema.allOf ?? []) found.push(...applicableSchemas(schemas, { file, schema: one }, value));
  if (schema.if && schema.then && (value === undefined || meetsSchema(value, schema.if)))
    found.push(...applicableSchemas(schemas, { file, schema: schema.then }, value));
  return found;
}

/** The schemas of the value one step further down. */
export function schemasBelow(
  schemas: Schemas,
  places: readonly LocatedSchema[],
  step: string,
  value: unknown,
): LocatedSchema[] {
  return places.flatMap(({ file, schema }) => {
    const own = schema.properties && Object.hasOwn(schema.properties, step) ? [schema.properties[step]!] : [];
    const fitting = Object.entries(schema.patternProperties ?? {}).filter(([pattern]) =>
      new RegExp(pattern, 'u').test(step),
    );
    const named = [...own, ...fitting.map(([, one]) => one)];
    const open =
      named.length === 0 && typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
    const entries = /^(\d+|-)$/.test(step) && schema.items ? [schema.items] : [];
    return [...named, ...open, ...entries].flatMap((one) => applicableSchemas(schemas, { file, schema: one }, value));
  });
}

function resolveReference(schemas: Schemas, file: string, reference: string): LocatedSchema {
  const [name, pointer = ''] = reference.split('#') as [string, string?];
  const target = name === '' ? file : name;
  const steps = pointer.split('/').slice(1);
  const schema = steps.reduce<unknown>((one, step) => (isJsonObject(one) ? one[step] : undefined), schemas[target]);
  return { file: target, schema: isJsonObject(schema) ? (schema as Schema) : {} };
}

/** Whether a value meets the few keywords that conditions of our schemas use. */
function meetsSchema(value: unknown, schema: Schema): boolean {
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value))) return false;
  if ('const' in schema && schema.const !== value) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.not && meetsSchema(value, schema.not)) return false;
  if (!isJsonObject(value)) return true;
  const keys = Object.keys(value);
  if (keys.length < (schema.minProperties ?? 0)) return false;
  const { propertyNames } = schema;
  if (propertyNames && !keys.every((key) => new RegExp(propertyNames.pattern, 'u').test(key))) return false;
  if (schema.required?.some((key) => !Object.hasOwn(value, key))) return false;
  return Object.entries(schema.properties ?? {}).every(
    ([key, one]) => !Object.hasOwn(value, key) || meetsSchema(value[key], one),
  );
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
