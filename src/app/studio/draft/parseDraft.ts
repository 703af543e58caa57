import { JsonError, parseJson } from '../../../engine/check/parse-json';
import type { Source } from '../../../engine/language/source';

/** A draft parsed from text, or the line and message of the error. */
export type ParsedDraft = { readonly source: Source } | { readonly line: number; readonly message: string };

/**
 * Parses the text of a draft. Checks only what all panes rely on (name, labels, fields); the server validates the rest.
 */
export function parseDraft(text: string): ParsedDraft {
  try {
    const { value, lines } = parseJson(text);
    const problem = shapeError(value);
    return problem ? { line: lines.get(problem.path) ?? 1, message: problem.message } : { source: value as Source };
  } catch (error) {
    if (error instanceof JsonError) return { line: error.line, message: error.message };
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function shapeError(value: unknown): { path: string; message: string } | null {
  if (!isObject(value)) return { path: '', message: 'A definition must be an object: { … }.' };
  if (typeof value.name !== 'string') return { path: '/name', message: 'The definition needs a name.' };
  const labels = value.labels;
  if (!isObject(labels) || typeof labels.one !== 'string' || typeof labels.many !== 'string')
    return { path: '/labels', message: 'The definition needs labels: { "one": …, "many": … }.' };
  if (!isObject(value.fields)) return { path: '/fields', message: 'The fields must be an object: { "name": { … } }.' };
  const brokenField = Object.entries(value.fields).find(([, field]) => !isObject(field));
  if (brokenField)
    return { path: `/fields/${brokenField[0]}`, message: `The field ${brokenField[0]} must be an object: { … }.` };
  return null;
}
