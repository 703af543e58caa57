import { checkSize } from '../../engine/definitions/check-size';
import type { Source } from '../../engine/definitions/source';
import { serializeSource } from '../definitions/stored-modules';
import { BadRequest, Invalid } from '../errors/errors';

/** The options of a change besides the definition. */
export interface ChangeOptions {
  readonly version: number;
  readonly confirm: boolean;
  readonly purge: readonly string[];
  readonly shipped: boolean;
}

type ChangeProperty = keyof ChangeOptions | 'definition';

const propertyChecks: Readonly<Record<ChangeProperty, (value: unknown) => boolean>> = {
  definition: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  version: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  confirm: (value) => typeof value === 'boolean',
  shipped: (value) => typeof value === 'boolean',
  purge: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};

const propertyMessages: Readonly<Record<ChangeProperty, string>> = {
  definition: 'definition must be an object.',
  version: 'version must be a whole number.',
  confirm: 'confirm must be true or false.',
  shipped: 'shipped must be true or false.',
  purge: 'purge must be a list of columns.',
};

/** Parses a body with allowed (`may`) and required (`must`) properties. Throws BadRequest, Invalid. */
export function parseChange(
  body: unknown,
  allowed: readonly ChangeProperty[],
  required: readonly ChangeProperty[],
): ChangeOptions & { readonly definition: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new BadRequest('The body must be a JSON object.');
  const errors: Record<string, string> = Object.create(null);
  const given = body as Partial<Record<ChangeProperty, unknown>>;
  for (const name of Object.keys(given)) {
    if (!allowed.includes(name as ChangeProperty)) errors[name] = `Unknown property ${name}.`;
  }
  for (const name of allowed) {
    const missing = !Object.hasOwn(given, name);
    if (missing ? required.includes(name) : !propertyChecks[name](given[name])) errors[name] = propertyMessages[name];
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  const { version = 0, confirm = false, purge = [], shipped = false } = given as Partial<ChangeOptions>;
  return { version, confirm, purge, shipped, definition: given.definition };
}

/** A problem of a draft that is found before it is validated with the others; undefined if there is none. */
export function draftProblem(definition: unknown, name?: string): { path: string; message: string } | undefined {
  const sizeProblem = checkSize(definition);
  if (sizeProblem) return sizeProblem;
  const own = (definition as Partial<Source>).name;
  if (name !== undefined && own !== name)
    return { path: '/name', message: `The name of a module cannot change: this one is named "${name}".` };
  return undefined;
}

/** The name and the text of a draft. Throws Invalid if it can't be validated at all. */
export function parseDraft(definition: unknown, name?: string): { name: string; text: string } {
  const fault = draftProblem(definition, name);
  if (fault) throw new Invalid({ [fault.path]: fault.message });
  const { name: own } = definition as Partial<Source>;
  if (typeof own !== 'string' || own === '') throw new Invalid({ '/name': '"name" is missing.' });
  return { name: own, text: serializeSource(definition as Source) };
}
