import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import type { SourceValidator } from '../../engine/check/check-schema';
import { compiledSchemas } from './compiled-schemas';
import { describeField } from '../../engine/language/field';
import { allTypeKeys } from '../../engine/language/field-types';
import { toJsonSchema } from '../../engine/language/json-schema';
import { requireValue } from '../../engine/values/lookups';
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

/** By the schema of a field, in which products differ. */
const validators = new Map<string, SourceValidator>();

/**
 * A validator that lists all violations of a definition. With its first use the schemas are loaded as the build compiled
 * them, or compiled once in a process for each product whose field types change them, which takes a quarter of a second.
 */
export function createSourceValidator(): SourceValidator {
  const field = fieldSchema();
  const key = JSON.stringify(field);
  let validate: ValidateFunction | undefined;
  const validator =
    validators.get(key) ??
    ((source) => {
      validate ??= loadCompiled(key) ?? addDefinitionSchemas(new Ajv(schemaOptions), field);
      return validate(source) ? [] : [...(validate.errors ?? [])];
    });
  validators.set(key, validator);
  return validator;
}

/** The validator that the build compiled for this schema of a field; undefined if there is none. */
function loadCompiled(field: string): ValidateFunction | undefined {
  if (compiledSchemas?.field !== field) return undefined;
  return createRequire(import.meta.url)(fileURLToPath(compiledSchemas.file)) as ValidateFunction;
}

/** How the schemas are compiled, by the build too. */
export const schemaOptions: Options = {
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  formats: { regex: true },
};

/** Adds all schemas, with that of a field, and gives the validator of a definition. */
export function addDefinitionSchemas(ajv: Ajv, field: object): ValidateFunction {
  for (const [name, schema] of Object.entries({ ...schemas, 'field.schema.json': field })) ajv.addSchema(schema, name);
  return requireValue(ajv.getSchema('resource.schema.json'), 'the schema of definitions');
}

/** The schema of a field that allows the field types of the product too. */
export function fieldSchema(): object {
  return toJsonSchema(describeField(allTypeKeys()));
}
