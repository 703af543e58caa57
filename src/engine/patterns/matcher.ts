import { passwordPattern } from '../field-types/password';
import { permissionPattern } from '../field-types/permissions';
import { engine, type Matcher } from './engine';
import { partsOf, type Part } from './parts';

/** Patterns of this program itself that are not plain, and still quick. */
const trusted: ReadonlySet<string> = new Set([passwordPattern, permissionPattern]);
const plain = new Map<string, Matcher | null>();
let loading: Promise<void> | undefined;

/** Whether this program's own expressions may run a pattern: it is one of its own, or has nothing to try twice. */
export function runsNatively(pattern: string): boolean {
  return trusted.has(pattern) || isPlain(partsOf(pattern));
}

/**
 * What holds texts against a pattern in a browser. Plain patterns need nothing else; the engine for the others, which is
 * large, is loaded once one is met. Undefined until it has come: the server judges every value anyway.
 */
export function matcherOf(pattern: string): Matcher | undefined {
  let matcher = plain.get(pattern);
  if (matcher === undefined) {
    const expression = runsNatively(pattern) ? new RegExp(pattern, 'u') : undefined;
    matcher = expression ? (text) => expression.test(text) : null;
    plain.set(pattern, matcher);
  }
  if (matcher) return matcher;
  if (!engine.compile) void loadPatterns();
  return engine.compile?.(pattern);
}

/** Loads the engine for patterns that are not plain. */
export function loadPatterns(): Promise<void> {
  loading ??= import('./compile').then(
    () => undefined,
    () => void (loading = undefined),
  );
  return loading;
}

/** `^`, characters of which at most the last repeats without end or in numbers, `$`: each text has one way through it. */
function isPlain(part: Part): boolean {
  const parts = part.kind === 'sequence' ? part.of : [part];
  if (parts[0]?.kind !== 'place' || parts[0].source !== '^') return false;
  const repeats = parts.filter(({ kind }) => kind === 'repeat');
  return (
    repeats.length <= 1 &&
    parts.every(
      (one) =>
        one.kind === 'place' || one.kind === 'character' || (one.kind === 'repeat' && one.of.kind === 'character'),
    )
  );
}
