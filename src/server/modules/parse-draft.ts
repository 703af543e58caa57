import { checkSize } from '../../engine/definitions/check-size';
import type { Source } from '../../engine/definitions/source';
import { serializeSource } from '../definitions/stored-modules';
import { Invalid } from '../errors/errors';

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
