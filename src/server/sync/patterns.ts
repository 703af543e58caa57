import { partsOf } from '../../engine/patterns/parts';
import { postgres, writePattern } from '../../engine/patterns/write';

/** A pattern of a definition in PostgreSQL's syntax; undefined if PostgreSQL can't express it. */
export function patternForDatabase(pattern: string): string | undefined {
  return writePattern(partsOf(pattern), postgres);
}
