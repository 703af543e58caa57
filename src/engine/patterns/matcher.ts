import { cachedValue } from '../formats/cached-value';
import { passwordPattern } from '../field-types/password';
import { permissionPattern } from '../field-types/permissions';
import { patternEngine, type Matcher } from './engine';
import { parsePattern, type PatternNode } from './parse-pattern';

/** Patterns of this program itself that are not plain, and still quick. */
const trustedPatterns: ReadonlySet<string> = new Set([passwordPattern, permissionPattern]);
const nativeMatchers = new Map<string, Matcher | null>();
const maxMatchers = 500;
let loading: Promise<void> | undefined;

/**
 * Whether the built-in RegExp can run a pattern safely: it is one of the program's own, or it cannot backtrack.
 *
 * @example isSafePattern('^(a+)+$'); // false
 */
export function isSafePattern(pattern: string): boolean {
  return trustedPatterns.has(pattern) || isPlain(parsePattern(pattern));
}

/**
 * The matcher for a pattern in a browser. Plain patterns use RegExp; the engine for others is large and is loaded on
 * first use. Undefined until it is loaded: the server validates every value anyway.
 */
export function matcherOf(pattern: string): Matcher | undefined {
  const matcher = cachedValue(nativeMatchers, maxMatchers, pattern, () => {
    const expression = isSafePattern(pattern) ? new RegExp(pattern, 'u') : undefined;
    return expression ? (text: string) => expression.test(text) : null;
  });
  if (matcher) return matcher;
  if (!patternEngine.compile) void loadPatternEngine();
  return patternEngine.compile?.(pattern);
}

/** Loads the engine for patterns that are not plain. */
export function loadPatternEngine(): Promise<void> {
  loading ??= import('./compile-pattern').then(
    () => undefined,
    () => void (loading = undefined),
  );
  return loading;
}

/**
 * `^`, characters of which at most one is repeated, `$`: each text can match in only one way, so there is no
 * backtracking.
 */
function isPlain(part: PatternNode): boolean {
  const parts = part.kind === 'sequence' ? part.parts : [part];
  if (parts[0]?.kind !== 'place' || parts[0].source !== '^') return false;
  const repetitions = parts.filter(({ kind }) => kind === 'repeat');
  return (
    repetitions.length <= 1 &&
    parts.every(
      (innerPart) =>
        innerPart.kind === 'place' ||
        innerPart.kind === 'character' ||
        (innerPart.kind === 'repeat' && innerPart.part.kind === 'character'),
    )
  );
}
