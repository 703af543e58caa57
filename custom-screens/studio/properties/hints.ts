import condition from '../../../schemas/condition.schema.json';
import field from '../../../schemas/field.schema.json';
import form from '../../../schemas/form.schema.json';
import list from '../../../schemas/list.schema.json';
import resource from '../../../schemas/resource.schema.json';
import rule from '../../../schemas/rule.schema.json';

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

const rooms = { condition, field, form, list, resource, rule } as unknown as Record<string, Schema | undefined>;

/** What the schemas say a place of a definition is for. */
export function hintAt(steps: readonly string[]): string | undefined {
  let schema: Schema | undefined = resource as unknown as Schema;
  for (const step of steps) schema = schema && below(schema, step);
  return schema?.description;
}

function below(schema: Schema, step: string): Schema | undefined {
  const whole = referred(schema);
  const open = typeof whole.additionalProperties === 'object' ? whole.additionalProperties : undefined;
  return whole.properties?.[step] ?? open ?? (/^\d+$/.test(step) ? whole.items : undefined);
}

function referred(schema: Schema): Schema {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref)?.$ref;
  return (reference && rooms[reference.replace('.schema.json', '')]) || schema;
}
