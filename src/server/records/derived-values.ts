import { randomBytes } from 'node:crypto';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { minutesBetween } from '../../engine/field-types/duration';

/** Computes durations from their start and end times. */
export function withDurations(definition: Definition, values: ResourceRecord): ResourceRecord {
  const durations = Object.values(definition.fields).flatMap(({ name, span }) =>
    span ? [[name, minutesBetween(values[span.from], values[span.to]) ?? null] as const] : [],
  );
  return durations.length === 0 ? values : { ...values, ...Object.fromEntries(durations) };
}

/** Also creates share links for a new record. */
export function withDerived(definition: Definition, values: ResourceRecord): ResourceRecord {
  const links = Object.values(definition.fields).filter((field) => field.type === 'shareLink');
  const made = Object.fromEntries(links.map(({ name }) => [name, createToken()]));
  return { ...withDurations(definition, values), ...made };
}

/** A token that can't be guessed: 192 random bits, safe in URLs. */
export function createToken(): string {
  return randomBytes(24).toString('base64url');
}
