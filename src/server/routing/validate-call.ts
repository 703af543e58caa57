import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifyInstance } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { Field } from '../../engine/definitions/definition';
import { parseId } from '../../engine/field-types/relation';
import { requiredMessage, unknownPropertyMessage, violationMessage } from '../../engine/validation/messages';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { BadRequest, Invalid, NotFound, type HttpError } from '../errors/errors';
import { quoteValue } from '../records/query/values';

type Values = Readonly<Record<string, unknown>>;
type Validator = (sent: unknown) => { value: unknown } | { error: HttpError };

/**
 * Validates the requests of all calls that are declared with schemas (`defineCall`) and registered after this call:
 * with the messages and statuses of records. A schema is compiled with the first request that needs it.
 */
export function validateCalls(api: FastifyInstance): void {
  api.setValidatorCompiler<TObject>(({ schema, httpPart, method }): Validator => {
    if (httpPart === 'params') return (sent) => validateParams(schema, sent as Values);
    if (httpPart === 'querystring') return (sent) => validateQuery(schema, sent as Values, method);
    return (sent) => validateBody(schema, sent);
  });
}

/** A body: 400 if it is not an object, otherwise 422 with a message for every wrong property. */
function validateBody(schema: TObject, sent: unknown): ReturnType<Validator> {
  const values = sent ?? {};
  if (typeof values !== 'object' || Array.isArray(values))
    return { error: new BadRequest('The body must be a JSON object.') };
  if (compile(schema)(values)) return { value: values };
  return { error: new Invalid(findErrors(schema, values as Values)) };
}

/** A query: 400 with the message for the first wrong value. */
function validateQuery(schema: TObject, sent: Values, method: string): ReturnType<Validator> {
  if (compile(schema)(sent)) return { value: sent };
  const unknown = unknownNames(schema, sent)[0];
  if (unknown !== undefined && method === 'GET')
    return { error: new BadRequest(`Unknown filter ${quoteValue(unknown).slice(1, -1)}.`, 'UNKNOWN_FILTER') };
  return { error: new BadRequest(Object.values(findErrors(schema, sent))[0]!) };
}

/** The parameters of a path: 404 for a wrong one. Integers are ids. */
function validateParams(schema: TObject, sent: Values): ReturnType<Validator> {
  const ids = Object.entries(schema.properties).filter(([, property]) => typeOf(property) === 'integer');
  const value = { ...sent, ...Object.fromEntries(ids.map(([name]) => [name, parseId(String(sent[name]))])) };
  return compile(schema)(value) ? { value } : { error: new NotFound() };
}

/** Only own properties count; nothing that was sent is changed. */
const ajv = new Ajv({ strict: true, allowUnionTypes: true, ownProperties: true, keywords: ['errorMessage'] });
const compiled = new WeakMap<TSchema, ValidateFunction>();

/**
 * Compiles a schema once. Its validator stops at the first error, so that the largest body cannot yield millions of
 * them.
 */
function compile(schema: TSchema): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}

/** The first error of every property, by its name: at least one. */
function findErrors(schema: TObject, values: Values): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  for (const name of unknownNames(schema, values)) errors[name] = unknownPropertyMessage(name);
  for (const [name, property] of Object.entries(schema.properties)) {
    const label = labelOf(name, property);
    if (!Object.hasOwn(values, name)) {
      if (isRequired(schema, name)) errors[name] = requiredMessage({ label });
      continue;
    }
    const value = values[name];
    const validate = compile(property);
    if (validate(values[name])) continue;
    const isEmpty = value === null || (typeof value === 'string' && value.trim() === '');
    errors[name] =
      isEmpty && isRequired(schema, name)
        ? requiredMessage({ label })
        : (textOf(property, 'errorMessage') ?? messageFor(label, validate.errors![0]!));
  }
  return errors;
}

/** A schema has no list of required properties if there are none, whatever its type says. */
export function isRequired(schema: TObject, name: string): boolean {
  return (schema.required as readonly string[] | undefined)?.includes(name) ?? false;
}

function unknownNames(schema: TObject, values: Values): string[] {
  const { additionalProperties } = schema as { additionalProperties?: unknown };
  if (additionalProperties !== false) return [];
  return Object.keys(values).filter((name) => !Object.hasOwn(schema.properties, name));
}

/** The message of records for an error of ajv; `label` names the property. */
function messageFor(label: string, { keyword, params, instancePath }: ErrorObject): string {
  const { limit, type, format, allowedValue, missingProperty, additionalProperty } = params as Values;
  const path = `${label}${instancePath.replaceAll('/', '.')}`;
  if (keyword === 'required') return requiredMessage({ label: `${path}.${String(missingProperty)}` });
  if (keyword === 'additionalProperties') return unknownPropertyMessage(`${path}.${String(additionalProperty)}`);
  if (keyword === 'const') return `${path} must be ${String(allowedValue)}.`;
  return violationMessage({ label: path, type: 'text' } as Field, { keyword, limit: limit ?? type ?? format });
}

function labelOf(name: string, property: TSchema): string {
  return textOf(property, 'title') ?? name;
}

function textOf(schema: TSchema, name: string): string | undefined {
  return (schema as Record<string, string | undefined>)[name];
}

function typeOf(schema: TSchema): string | undefined {
  return textOf(schema, 'type');
}
