import { parsePattern } from '../../engine/patterns/parse-pattern';
import { postgres, writePattern } from '../../engine/patterns/write-pattern';

/** A pattern of a definition in PostgreSQL's syntax; undefined if PostgreSQL can't express it. */
export function patternForDatabase(pattern: string): string | undefined {
  return writePattern(parsePattern(pattern), postgres);
}
