import { deliverableAddress } from '../../engine/field-types/email';
import { normaliseText } from '../../engine/values/normalise-text';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifyInstance } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Field } from '../../engine/definitions/definition';
import { parseBoolean } from '../../engine/field-types/boolean';
import { parseId } from '../../engine/field-types/relation';
import {
  requiredMessage,
  unknownProperties,
  unknownPropertyMessage,
  violationMessage,
} from '../../engine/validation/messages';
import { formats } from '../../engine/validation/formats';
import { isStorable } from '../../engine/values/storable';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { BadRequest, Invalid, NotFound, type HttpError } from '../errors/errors';
import { quoteValue } from '../records/read/query/values';
import { firstOf, lastOf, ownProperty } from '../../engine/values/lookups';

type Values = Readonly<Record<string, unknown>>;
type Validator = (sent: unknown) => { value: unknown } | { error: HttpError };

/**
 * Validates the requests of all calls that are declared with schemas (`defineCall`) and registered after this call:
 * with the messages and statuses of records. A schema is compiled with the first request that needs it.
 */
export function validateCalls(api: FastifyInstance): void {
  api.setValidatorCompiler<TObject>(({ schema, httpPart, method }): Validator => {
    if (httpPart === 'params') return (input) => validateParams(schema, input as Values);
    if (httpPart === 'querystring') return (input) => validateQuery(schema, input as Values, method);
    return (input) => validateBody(schema, input);
  });
}

/**
 * The properties of a body that its handler reads by itself, such as a form with files. Throws BadRequest, or Invalid
 * with a message for every wrong property.
 *
 * @example const { result, comment } = parseCallBody(foundResult, values);
 */
export function parseCallBody<Schema extends TObject>(schema: Schema, input: unknown): Static<Schema> {
  const read = validateBody(schema, input);
  if ('error' in read) throw read.error;
  return read.value as Static<Schema>;
}

/** A body: 400 if it is not an object, otherwise 422 with a message for every wrong property. */
function validateBody(schema: TObject, input: unknown): ReturnType<Validator> {
  const body = input ?? {};
  if (typeof body !== 'object' || Array.isArray(body))
    return { error: new BadRequest('The body must be a JSON object.') };
  const value = isForm(schema) ? readForm(schema, body as Values) : body;
  if (compile(schema)(value) && isAllStorable(schema, value as Values)) return { value };
  return { error: new Invalid(findErrors(schema, value as Values)) };
}

/** A query: 400 with the message for the first wrong value. */
function validateQuery(schema: TObject, input: Values, method: string): ReturnType<Validator> {
  const value = readIds(schema, input);
  if (compile(schema)(value) && isAllStorable(schema, value)) return { value };
  const unknown = unknownNames(schema, input)[0];
  if (unknown !== undefined && method === 'GET')
    return { error: new BadRequest(`Unknown filter ${quoteValue(unknown).slice(1, -1)}.`, 'UNKNOWN_FILTER') };
  return { error: new BadRequest(firstOf(Object.values(findErrors(schema, value)))) };
}

/** The parameters of a path: 404 for a wrong one. */
function validateParams(schema: TObject, input: Values): ReturnType<Validator> {
  const value = readIds(schema, input);
  return compile(schema)(value) ? { value } : { error: new NotFound() };
}

/** Whether the declared values can be stored; others are ignored. */
function isAllStorable({ properties }: TObject, values: Values): boolean {
  return Object.keys(properties).every((name) => !Object.hasOwn(values, name) || isStorable(values[name]));
}

/** The values of a path or a query, with its ids as numbers; what is none stays as it is, for a message. */
function readIds(schema: TObject, input: Values): Values {
  const value = { ...input };
  for (const [name, property] of Object.entries(schema.properties)) {
    if (typeOf(property) !== 'integer' || !Object.hasOwn(input, name)) continue;
    const text = value[name];
    if (text === '') delete value[name];
    else value[name] = (typeof text === 'string' ? parseId(text) : undefined) ?? text;
  }
  return value;
}

/** The values of a form, as `form` in `define-call.ts` says. */
function readForm(schema: TObject, input: Values): Values {
  const { ignored: ignoredNames = [] } = schema as { ignored?: readonly string[] };
  const value = Object.create(null) as Record<string, unknown>;
  for (const [name, inputValue] of Object.entries(input)) {
    const property = ownProperty(schema.properties, name);
    if (!property && ignoredNames.includes(name)) continue;
    const read = property ? readFormValue(property, inputValue) : inputValue;
    const isNone = property && (read === '' || read === null);
    if (!isNone) value[name] = read;
    else if (isNullable(property)) value[name] = null;
  }
  return value;
}

function readFormValue(property: TSchema, value: unknown): unknown {
  const read = formReaders[typeOf(property) ?? ''];
  if (read) return value === '' ? null : (read(value) ?? value);
  const format = textOf(property, 'format');
  if (typeof value !== 'string' || format === 'password') return value;
  return format === 'email' ? deliverableAddress(normaliseText(value)) : normaliseText(value);
}

/** How values of forms are read, by the type of their schema; undefined for what is none. */
const formReaders: Readonly<Record<string, (value: unknown) => unknown>> = {
  integer: (value) => (typeof value === 'string' ? parseId(value) : undefined),
  boolean: (value) =>
    typeof value === 'string' || typeof value === 'number' ? parseBoolean(String(value)) : undefined,
};

/** The keywords of schemas that only `validateCalls` knows. */
export const ownKeywords = ['errorMessage', 'form', 'ignored'] as const;

/** Only own properties count; nothing that was sent is changed. */
const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  ownProperties: true,
  formats: { ...formats, password: true, binary: true },
  keywords: [...ownKeywords],
});
const compiledSchemas = new WeakMap<TSchema, ValidateFunction>();

/**
 * Compiles a schema once. Its validator stops at the first error, so that the largest body cannot yield millions of
 * them.
 */
function compile(schema: TSchema): ValidateFunction {
  let validate = compiledSchemas.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    compiledSchemas.set(schema, validate);
  }
  return validate;
}

/** Where a value first violates a schema, and the value there; undefined if it does nowhere. */
export function findViolation(
  schema: TSchema,
  value: unknown,
): { readonly path: readonly string[]; readonly value: unknown } | undefined {
  const validate = compile(schema);
  if (validate(value)) return undefined;
  // The last error is that of the whole value where alternatives or the name of a property are wrong.
  const { instancePath, params } = lastOf(validate.errors ?? []);
  const { propertyName } = params as Values;
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (typeof propertyName === 'string') path.push(propertyName);
  return { path, value: path.reduce<unknown>((inner, name) => (inner as Values)[name], value) };
}

/** The first error of every property, by its name: at least one. */
function findErrors(schema: TObject, values: Values): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  const addUnknown = unknownProperties(errors);
  for (const name of unknownNames(schema, values)) addUnknown(name);
  for (const [name, property] of Object.entries(schema.properties)) {
    const label = labelOf(name, property);
    if (!Object.hasOwn(values, name)) {
      if (isRequired(schema, name)) errors[name] = requiredMessage({ label });
      continue;
    }
    const value = values[name];
    const validate = compile(property);
    if (validate(values[name])) {
      if (!isStorable(value)) errors[name] = violationMessage({ label } as Field, { keyword: 'storable' });
      continue;
    }
    const isEmpty = value === null || (typeof value === 'string' && normaliseText(value) === '');
    errors[name] =
      isEmpty && isRequired(schema, name)
        ? requiredMessage({ label })
        : (textOf(property, 'errorMessage') ?? messageFor(label, property, firstOf(validate.errors ?? [])));
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
function messageFor(label: string, property: TSchema, { keyword, params, instancePath }: ErrorObject): string {
  const { limit, type, format, allowedValue, missingProperty, additionalProperty } = params as Values;
  const path = `${label}${instancePath.replaceAll('/', '.')}`;
  if (keyword === 'required') return requiredMessage({ label: `${path}.${String(missingProperty)}` });
  if (keyword === 'additionalProperties') return unknownPropertyMessage(`${path}.${String(additionalProperty)}`);
  if (keyword === 'minItems')
    return `${path} must have at least ${limit === 1 ? 'one entry' : `${String(limit)} entries`}.`;
  if (keyword === 'const') return `${path} must be ${String(allowedValue)}.`;
  const fieldType = textOf(property, 'format') === 'password' ? 'password' : 'text';
  return violationMessage({ label: path, type: fieldType } as Field, { keyword, limit: limit ?? type ?? format });
}

function isForm(schema: TObject): boolean {
  return (schema as { form?: boolean }).form === true;
}

function isNullable({ anyOf }: TSchema & { anyOf?: readonly TSchema[] }): boolean {
  return anyOf?.some((schema) => typeOf(schema) === 'null') ?? false;
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
