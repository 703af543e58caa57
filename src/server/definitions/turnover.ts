import type { LiveDefinitions } from '../program';

/** The moment between a commit that changes tables and the registry that goes with them. */
export class Turnover {
  private pending: Promise<void> | undefined;
  private end = () => {};

  /** Runs a change; the moment is over when it ends, whatever came of it. One at a time. */
  async during<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      this.pending = undefined;
      this.end();
    }
  }

  /** To be called in the change, as the last thing before its commit. */
  committing(): void {
    this.pending = new Promise((resolve) => (this.end = resolve));
  }

  /** Resolves when the moment is over; undefined where it is not now. */
  over(): Promise<void> | undefined {
    return this.pending;
  }
}

type Definitions = Pick<LiveDefinitions, 'registry' | 'onChange' | 'turnover'>;

/**
 * What PostgreSQL says of a statement that was written for tables as they were: another result type, no such column or
 * table, types that do not go together.
 */
const outdated: ReadonlySet<string> = new Set(['0A000', '42703', '42P01', '42804', '42883']);
const OUTDATED_PLAN = '0A000';
const PATIENCE = 3_000;
const ATTEMPTS = 4;

/**
 * Runs something that reads or writes by the definitions in force, and once more by the newer ones where its statements
 * met tables that had changed meanwhile: then nothing of it was stored. `repeatable` says that it may also be run again
 * after it succeeded, so that its answer is wholly of one version; `isDone` that its answer has left already.
 */
export async function underDefinitions<T>(
  definitions: Definitions,
  run: () => Promise<T>,
  { repeatable, isDone = () => false }: { repeatable: boolean; isDone?: () => boolean },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const before = definitions.turnover();
    if (before) await before;
    const registry = definitions.registry();
    try {
      const answer = await run();
      if (!repeatable || attempt === ATTEMPTS || isDone()) return answer;
      const after = definitions.turnover();
      if (after) await after;
      if (definitions.registry() === registry) return answer;
    } catch (error) {
      if (attempt === ATTEMPTS || isDone() || !(await isOutdated(definitions, registry, error))) throw error;
    }
  }
}

/** Whether an error is of the database, and there are other definitions by now, or in a moment. */
async function isOutdated(
  definitions: Definitions,
  registry: ReturnType<Definitions['registry']>,
  error: unknown,
): Promise<boolean> {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return false;
  await definitions.turnover();
  if (definitions.registry() !== registry) return true;
  if (!outdated.has(code)) return false;
  // A plan is outdated for one connection alone; the next one makes it anew.
  return (await changed(definitions, registry)) || code === OUTDATED_PLAN;
}

/** Another server tells of its change a moment after it has committed. */
function changed(definitions: Definitions, registry: ReturnType<Definitions['registry']>): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), PATIENCE);
    const stop = definitions.onChange((now) => end(now !== registry));
  });
}
