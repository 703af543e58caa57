import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { studioOf } from '../../fields/studio';

const day = 86_400_000;

/** A made-up record, to preview the form of a module without records. */
export function sampleRecord(definition: Definition, now = Date.now()): ResourceRecord {
  const tomorrow = new Date(now + day).toISOString();
  const values = Object.values(definition.fields).map((field) => {
    const isMade = field.computed === undefined && field.to === undefined && !field.secret;
    return [field.name, isMade ? (studioOf(field).sample?.(field, tomorrow) ?? null) : null] as const;
  });
  return { ...Object.fromEntries(values), id: 1, created_at: new Date(now).toISOString() };
}
