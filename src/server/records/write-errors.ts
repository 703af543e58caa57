import type { Definition } from '../../engine/definitions/definition';
import { Conflict, Invalid } from '../errors/errors';

interface PostgresError {
  readonly code?: string;
  readonly detail?: string;
}

/**
 * Runs a write and turns PostgreSQL's constraint errors into messages for the user: a duplicate value, or a reference.
 */
export async function translateDatabaseErrors<T>(definition: Definition, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toUserError(definition, error) ?? error;
  }
}

function toUserError(definition: Definition, error: unknown): Error | undefined {
  const { code, detail = '' } = error as PostgresError;
  if (code === '23505') {
    const columns = /^Key \((.*?)\)=\(/s.exec(detail)?.[1] ?? '';
    const field = Object.values(definition.fields).find(
      ({ name, unique }) => unique && new RegExp(`\\b${name}\\b`).test(columns),
    );
    if (field) return new Invalid({ [field.name]: `${field.label} is already taken.` });
  }
  if (code === '23503') {
    return new Conflict(
      `This ${definition.labels.one.toLowerCase()} or a record it refers to was used or removed in the meantime.`,
      'CONFLICT_REFERENCED',
    );
  }
  return undefined;
}
