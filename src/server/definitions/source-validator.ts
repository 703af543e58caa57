import { Ajv } from 'ajv';
import type { SourceValidator } from '../../engine/definitions/check-schema';
import type { Field } from '../../engine/definitions/definition';
import { fieldTypes, isAddedType, type FieldType } from '../../engine/field-types';
import automation from '../../../schemas/automation.schema.json' with { type: 'json' };
import condition from '../../../schemas/condition.schema.json' with { type: 'json' };
import expression from '../../../schemas/expression.schema.json' with { type: 'json' };
import field from '../../../schemas/field.schema.json' with { type: 'json' };
import form from '../../../schemas/form.schema.json' with { type: 'json' };
import list from '../../../schemas/list.schema.json' with { type: 'json' };
import page from '../../../schemas/page.schema.json' with { type: 'json' };
import parameter from '../../../schemas/parameter.schema.json' with { type: 'json' };
import imported from '../../../schemas/import.schema.json' with { type: 'json' };
import request from '../../../schemas/request.schema.json' with { type: 'json' };
import resource from '../../../schemas/resource.schema.json' with { type: 'json' };
import rule from '../../../schemas/rule.schema.json' with { type: 'json' };

/** The JSON Schemas of definitions, by the names under which they refer to each other. */
export const schemas: Readonly<Record<string, object>> = {
  'resource.schema.json': resource,
  'field.schema.json': field,
  'condition.schema.json': condition,
  'expression.schema.json': expression,
  'list.schema.json': list,
  'form.schema.json': form,
  'page.schema.json': page,
  'rule.schema.json': rule,
  'parameter.schema.json': parameter,
  'import.schema.json': imported,
  'request.schema.json': request,
  'automation.schema.json': automation,
};

/** By the schema of a field, in which products differ: compiling takes a quarter of a second. */
const compiled = new Map<string, SourceValidator>();

/** A validator that lists all violations of a definition. The schemas are compiled once in a process for each product. */
export function createSourceValidator(): SourceValidator {
  const field = fieldSchema();
  const key = JSON.stringify(field);
  const known = compiled.get(key) ?? compileSchemas(field);
  compiled.set(key, known);
  return known;
}

function compileSchemas(field: object): SourceValidator {
  const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, formats: { regex: true } });
  for (const [name, schema] of Object.entries({ ...schemas, 'field.schema.json': field })) ajv.addSchema(schema, name);
  const validate = ajv.getSchema('resource.schema.json')!;
  return (source) => (validate(source) ? [] : [...(validate.errors ?? [])]);
}

/** The schema of a field that allows the field types of the product too. */
function fieldSchema(): object {
  const added = Object.entries(fieldTypes).filter(([type]) => isAddedType({ type } as Pick<Field, 'type'>));
  const { properties, allOf } = field;
  return {
    ...field,
    properties: { ...properties, type: { ...properties.type, enum: Object.keys(fieldTypes) } },
    allOf: [...allOf, ...added.flatMap(([name, type]) => neededKeysSchema(name, type))],
  };
}

function neededKeysSchema(name: string, { neededKeys = [] }: FieldType): object[] {
  if (neededKeys.length === 0) return [];
  return [{ if: { properties: { type: { const: name } }, required: ['type'] }, then: { required: neededKeys } }];
}
