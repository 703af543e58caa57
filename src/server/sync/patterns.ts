import { partsOf } from '../../engine/patterns/parts';
import { postgres, writePattern } from '../../engine/patterns/write';

/** A pattern of definitions as PostgreSQL writes it, or undefined where PostgreSQL cannot say the same. */
export function patternForDatabase(pattern: string): string | undefined {
  return writePattern(partsOf(pattern), postgres);
}
