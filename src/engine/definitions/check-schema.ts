import { checkSize } from './check-size';
import { at, closest, type Fault } from './paths';

/** What ajv says of one broken rule (with `verbose`, so that the schema's own words can be used). */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly propertyName?: string;
  readonly data?: unknown;
  readonly parentSchema?: object;
}

/** Judges a written definition by `schemas/resource.schema.json`; empty where it fits. */
export type SourceJudge = (source: unknown) => readonly SchemaError[];

/** The faults of a written definition against the language's JSON Schemas, in words and without doubles. */
export function checkSource(source: unknown, judge: SourceJudge): Fault[] {
  const beyond = checkSize(source);
  if (beyond) return [beyond];
  const faults = judge(source).flatMap((error) => faultOf(error) ?? []);
  const seen = new Set<string>();
  return faults.filter(({ path, message }) => !seen.has(path + message) && seen.add(path + message));
}

/** `if` and `propertyNames` only frame the errors that say what is wrong. */
function faultOf(error: SchemaError): Fault | undefined {
  const { keyword, params, instancePath, propertyName } = error;
  if (keyword === 'if' || keyword === 'propertyNames') return undefined;
  if (propertyName !== undefined) {
    return {
      path: at(instancePath, propertyName),
      message: `"${propertyName}" cannot be a name here: ${nameRule(error)}`,
    };
  }
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    return { path: at(instancePath, name), message: unknownKey(name, error) };
  }
  if (keyword === 'required') {
    return { path: instancePath, message: `"${String(params.missingProperty)}" is missing.` };
  }
  return { path: instancePath, message: `${sentence(error)}${explanation(error)}` };
}

function sentence(error: SchemaError): string {
  const { keyword, params, data } = error;
  const shown = JSON.stringify(data);
  if (keyword === 'type') return `This must be ${[params.type].flat().map(typeWords).join(' or ')}.`;
  if (keyword === 'enum') {
    const allowed = params.allowedValues as unknown[];
    const guess = typeof data === 'string' ? closest(data, allowed.map(String)) : undefined;
    const choice = allowed.map((one) => JSON.stringify(one)).join(', ');
    return `${shown} is none of ${choice}.${guess ? ` Did you mean "${guess}"?` : ''}`;
  }
  if (keyword === 'const') return `This must be ${JSON.stringify(params.allowedValue)}.`;
  if (keyword === 'pattern') return `${shown} does not have the form that is asked for here.`;
  if (keyword === 'uniqueItems') return 'An entry stands here twice.';
  if (keyword === 'minProperties' || keyword === 'minItems' || keyword === 'minLength') return 'This is empty.';
  return `This ${error.message ?? 'is not allowed'}.`;
}

function unknownKey(name: string, error: SchemaError): string {
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const guess = closest(name, known);
  if (guess) return `There is no key "${name}" here. Did you mean "${guess}"?`;
  return `There is no key "${name}" here${known.length > 0 && known.length <= 12 ? `; there are ${known.join(', ')}` : ''}.`;
}

function nameRule({ params }: SchemaError): string {
  const pattern = typeof params.pattern === 'string' ? params.pattern : '';
  return pattern.includes('0-9]+$') && !pattern.includes('a-z')
    ? 'it is the id of a record.'
    : 'names begin with a small letter and go on with letters, digits and _, 63 at most.';
}

/** The schema's own description of the place, where it has one. */
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
