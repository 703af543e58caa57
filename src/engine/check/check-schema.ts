import { checkSize } from './check-size';
import { joinPointer, closestName, type Problem } from '../definitions/problems';

/** One error of ajv (with `verbose`, to have the schema's own description). */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly propertyName?: string;
  readonly data?: unknown;
  readonly parentSchema?: object;
}

/** Validates a source definition with `schemas/resource.schema.json`; an empty list if it is valid. */
export type SourceValidator = (source: unknown) => readonly SchemaError[];

/**
 * The problems of a source definition according to the JSON Schemas, as readable messages without duplicates.
 *
 * @example checkSource(JSON.parse(text), validate); // [{ path: '/fields/due/type', message: '…' }]
 */
export function checkSource(source: unknown, validate: SourceValidator): Problem[] {
  const sizeProblem = checkSize(source);
  if (sizeProblem) return [sizeProblem];
  const faults = withoutAlternatives(validate(source)).flatMap((error) => problemOf(error) ?? []);
  const problemKeys = new Set<string>();
  return faults.filter(({ path, message }) => !problemKeys.has(path + message) && problemKeys.add(path + message));
}

/** Where a value is none of several names and matches no other alternative either, the names say enough. */
function withoutAlternatives(errors: readonly SchemaError[]): readonly SchemaError[] {
  const pathsOf = (keyword: string) =>
    new Set(errors.flatMap((error) => (error.keyword === keyword ? [error.instancePath] : [])));
  const [alternatives, names] = [pathsOf('anyOf'), pathsOf('enum')];
  return errors.filter(
    ({ keyword, instancePath }) => keyword === 'enum' || !alternatives.has(instancePath) || !names.has(instancePath),
  );
}

/** `if` and `propertyNames` only wrap the errors with the actual cause. */
function problemOf(error: SchemaError): Problem | undefined {
  const { keyword, params, instancePath, propertyName } = error;
  if (keyword === 'if' || keyword === 'propertyNames') return undefined;
  if (propertyName !== undefined) {
    return {
      path: joinPointer(instancePath, propertyName),
      message: `"${propertyName}" is not a valid name here: ${nameRule(error)}`,
    };
  }
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    return { path: joinPointer(instancePath, name), message: unknownKey(name, error) };
  }
  if (keyword === 'required') {
    return { path: instancePath, message: `"${String(params.missingProperty)}" is missing.` };
  }
  return { path: instancePath, message: `${messageOf(error)}${explanation(error)}` };
}

function messageOf(error: SchemaError): string {
  const { keyword, params, data } = error;
  const json = JSON.stringify(data);
  if (keyword === 'type') return `This must be ${[params.type].flat().map(typeWords).join(' or ')}.`;
  if (keyword === 'enum') {
    const allowedValues = params.allowedValues as unknown[];
    const guess = typeof data === 'string' ? closestName(data, allowedValues.map(String)) : undefined;
    const choice = allowedValues.map((value) => JSON.stringify(value)).join(', ');
    return `${json} must be one of ${choice}.${guess ? ` Did you mean "${guess}"?` : ''}`;
  }
  if (keyword === 'const') return `This must be ${JSON.stringify(params.allowedValue)}.`;
  if (keyword === 'pattern') return `${json} does not have the required format.`;
  if (keyword === 'uniqueItems') return 'This list contains an entry twice.';
  if (keyword === 'minProperties' || keyword === 'minItems' || keyword === 'minLength')
    return 'This must not be empty.';
  return `This ${error.message ?? 'is not allowed'}.`;
}

function unknownKey(name: string, error: SchemaError): string {
  const knownKeys = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const guess = closestName(name, knownKeys);
  if (guess) return `Unknown property "${name}". Did you mean "${guess}"?`;
  return `Unknown property "${name}".${knownKeys.length > 0 && knownKeys.length <= 12 ? ` Known properties: ${knownKeys.join(', ')}.` : ''}`;
}

function nameRule({ params }: SchemaError): string {
  const pattern = typeof params.pattern === 'string' ? params.pattern : '';
  return pattern.includes('0-9]+$') && !pattern.includes('a-z')
    ? 'it must be the id of a record.'
    : 'names start with a lower-case letter, followed by letters, digits and _ (63 characters at most).';
}

/** The schema's description of the place, if it has one. */
function explanation({ keyword, parentSchema }: SchemaError): string {
  const description = (parentSchema as { description?: string } | undefined)?.description;
  return description && keyword !== 'enum' ? ` ${description}` : '';
}

function typeWords(type: unknown): string {
  const words: Record<string, string> = {
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  };
  return words[String(type)] ?? String(type);
}
