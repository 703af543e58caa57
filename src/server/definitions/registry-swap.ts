import { Unavailable } from '../errors/errors';
import type { LiveDefinitions } from './live-definitions';

/** The time between a commit that changes tables and the activation of the matching registry. */
export class RegistrySwap {
  private pending: Promise<void> | undefined;
  private end = () => {};

  /** Runs a change; the swap is over when it ends, whatever the result. One at a time. */
  async run<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      this.pending = undefined;
      this.end();
    }
  }

  /** To be called within the change, right before its commit. */
  beforeCommit(): void {
    this.pending = new Promise((resolve) => (this.end = resolve));
  }

  /** Resolves when the swap is over; undefined if there is none at the moment. */
  whenDone(): Promise<void> | undefined {
    return this.pending;
  }
}

type Definitions = Pick<LiveDefinitions, 'registry' | 'onChange' | 'pendingSwap' | 'isOlder'>;

/**
 * PostgreSQL's error codes for statements that do not match the current tables: changed result type, missing column or
 * table, mismatching types.
 */
const schemaErrorCodes: ReadonlySet<string> = new Set(['0A000', '42703', '42P01', '42804', '42883']);
const OUTDATED_PLAN = '0A000';
const CHANGE_TIMEOUT = 3_000;
const MAX_ATTEMPTS = 4;

/**
 * Runs something that uses the active definitions, and repeats it with newer ones if the tables changed in the
 * meantime; then nothing of the first run was stored. `repeatable`: may also run again after it succeeded, so that its
 * response is of a single version. `isDone`: its response has already been sent. Throws Unavailable if a newer version
 * of the program has changed the tables so that this one cannot use them.
 */
export async function withStableRegistry<T>(
  definitions: Definitions,
  run: () => Promise<T>,
  { repeatable, isDone = () => false }: { repeatable: boolean; isDone?: () => boolean },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const previousSwap = definitions.pendingSwap();
    if (previousSwap) await previousSwap;
    const registry = definitions.registry();
    try {
      const answer = await run();
      if (!repeatable || attempt === MAX_ATTEMPTS || isDone()) return answer;
      const currentSwap = definitions.pendingSwap();
      if (currentSwap) await currentSwap;
      if (definitions.registry() === registry) return answer;
    } catch (error) {
      if (attempt < MAX_ATTEMPTS && !isDone() && (await isOutdated(definitions, registry, error))) continue;
      throw definitions.isOlder() && isSchemaError(error) ? new Unavailable(tablesAreNewer) : error;
    }
  }
}

const tablesAreNewer =
  'This server runs an older version of the program than the one that has changed these records. Please try again in a moment.';

function isSchemaError(error: unknown): boolean {
  return schemaErrorCodes.has(String((error as { code?: unknown } | null)?.code));
}

/** Whether an error comes from the database and newer definitions are active now, or will be in a moment. */
async function isOutdated(
  definitions: Definitions,
  registry: ReturnType<Definitions['registry']>,
  error: unknown,
): Promise<boolean> {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return false;
  await definitions.pendingSwap();
  if (definitions.registry() !== registry) return true;
  if (!isSchemaError(error)) return false;
  // Changes of a newer version are kept.
  if (definitions.isOlder() && code !== OUTDATED_PLAN) return false;
  // A cached plan is outdated for a single connection; the next attempt plans it again.
  return (await waitForChange(definitions, registry)) || code === OUTDATED_PLAN;
}

/** Another server announces its change shortly after the commit. */
function waitForChange(definitions: Definitions, registry: ReturnType<Definitions['registry']>): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), CHANGE_TIMEOUT);
    const stop = definitions.onChange((now) => end(now !== registry));
  });
}
