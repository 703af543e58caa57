import type { Static, TSchema } from 'typebox';
import type { Field } from '../../engine/definitions/definition';
import { violationMessage } from '../../engine/validation/messages';
import { isStorable } from '../../engine/values/storable';
import { defaultJsonLimits, parseBoundedJson } from '../../engine/values/bounded-json';
import { BadRequest } from '../errors/errors';
import { findViolation } from './validate-call';

/** The message for a wrong value; its path has the names of the properties that lead to it: none for the whole. */
type MessageAt = (path: readonly string[], value: unknown) => string;

/**
 * The value of a form's field that contains JSON, validated with its schema as bodies are; undefined if the field is
 * empty. Throws BadRequest with the message for the first wrong value.
 *
 * @example
 *   const mapping = readJsonField('mapping', mappingSchema, values.mapping, () => 'mapping must be a JSON object.');
 */
export function readJsonField<Schema extends TSchema>(
  name: string,
  schema: Schema,
  text: unknown,
  messageAt: MessageAt,
): Static<Schema> | undefined {
  if (text === undefined || text === '') return undefined;
  const read = typeof text === 'string' ? parseJson(text) : text;
  const violation = findViolation(schema, read);
  if (violation) throw new BadRequest(messageAt(violation.path, violation.value));
  if (!isStorable(read)) throw new BadRequest(violationMessage({ label: name } as Field, { keyword: 'storable' }));
  return read as Static<Schema>;
}

/** Undefined for what is no JSON, or too much, which no schema accepts. */
function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text, { ...defaultJsonLimits, names: 10_000 });
  } catch {
    return undefined;
  }
}
