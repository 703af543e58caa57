import { randomUUID } from 'node:crypto';
import type { RunningDatabase } from './database';
import { pause, type ServerAnswer, type ServerClient } from './server';

/** The responses to writers, compared with what is stored. */
export interface WriterResult {
  readonly acknowledged: number;
  /** Of these, writes repeated with their Idempotency-Key after an unknown outcome. */
  readonly repeatedCount: number;
  /** Forbidden with the word that nothing was stored. */
  readonly refusedCount: number;
  readonly unknown: number;
}

export interface Writers {
  /** Resolves with the milliseconds until a write that began after this moment is acknowledged. Throws after `limit`. */
  untilAcknowledged(limit: number): Promise<number>;
  /** The number of unknown outcomes so far. */
  unknown(): number;
  /**
   * Stops the writers and compares their responses with what is stored. Throws if an acknowledged write is not stored
   * exactly once, a refused one is stored, or a response was neither.
   */
  stop(database: Pick<RunningDatabase, 'query'>): Promise<WriterResult>;
}

/** One method to store a text, and the column where it is found. */
interface Kind {
  readonly table: string;
  readonly column: string;
  write(text: string, headers?: Readonly<Record<string, string>>): Promise<ServerAnswer>;
}

const answeredLate = 60_000;

/**
 * Starts eight writers that write without a pause: of records by one statement, of comments by a transaction of several,
 * and as many again that repeat each write with its Idempotency-Key until it is acknowledged.
 */
export async function startWriters(client: ServerClient, count = 8): Promise<Writers> {
  const tasks = (await client<{ data: { id: number }[] }>('GET', `/tasks?range=[0,${count - 1}]`)).body.data;
  const records: Kind = {
    table: 'priorities',
    column: 'option_name',
    write: (option_name, headers) => client('POST', '/priorities', { option_name }, headers),
  };
  const commentsOn = (task: number): Kind => ({
    table: 'task_comments',
    column: 'comments',
    write: (comments, headers) => client('PATCH', `/task/${task}`, { comments, status_id: 2 }, headers),
  });
  const acknowledged: { text: string; startTime: number }[] = [];
  const [refusedTexts, unknown, wrongAnswers] = [new Set<string>(), new Set<string>(), [] as string[]];
  let [isStopped, repeatedCount, unknowns] = [false, 0, 0];

  async function write(kind: Kind, isRepeated: boolean): Promise<void> {
    const text = `resilience-${randomUUID()}`;
    const headers = isRepeated ? { 'idempotency-key': text } : undefined;
    const deadline = Date.now() + answeredLate;
    for (let tries = 0; ; tries++) {
      const startTime = performance.now();
      const answer = await kind.write(text, headers);
      const outcome = meaning(answer, isRepeated);
      if (outcome === 'unknown') unknowns++;
      if (outcome === 'acknowledged') {
        acknowledged.push({ text, startTime });
        if (tries > 0) repeatedCount++;
        return;
      }
      if (outcome === 'wrong') {
        const { code, message } = (answer.body ?? {}) as { code?: string; message?: string };
        wrongAnswers.push(`${kind.table}: ${answer.status} ${code ?? ''} ${message ?? ''}`);
        unknown.add(text);
        return;
      }
      await pause(50);
      if (isRepeated && Date.now() < deadline && !(isStopped && outcome === 'refused' && tries > 20)) continue;
      (outcome === 'refused' && !isRepeated ? refusedTexts : unknown).add(text);
      return;
    }
  }

  const loops = Array.from({ length: count }, async (_, index) => {
    const kind = index % 2 === 0 ? records : commentsOn(tasks[index % tasks.length]!.id);
    while (!isStopped) await write(kind, index % 4 >= 2);
  });

  return {
    async untilAcknowledged(limit) {
      const startTime = performance.now();
      for (; performance.now() - startTime < limit; await pause(20)) {
        if (acknowledged.some((write) => write.startTime > startTime)) return performance.now() - startTime;
      }
      throw new Error(`no write was acknowledged within ${limit / 1000} s`);
    },
    unknown: () => unknowns,
    async stop(database) {
      isStopped = true;
      await Promise.all(loops);
      const storedCounts = new Map<string, number>();
      for (const { table, column } of [records, commentsOn(0)]) {
        const rows = await database.query<{ text: string }>(
          `select substring(${column} from 'resilience-[-0-9a-f]{36}') as text from public.${table} where ${column} like '%resilience-%'`,
        );
        for (const { text } of rows) storedCounts.set(text, (storedCounts.get(text) ?? 0) + 1);
      }
      const times = (text: string) => storedCounts.get(text) ?? 0;
      const faults: [string, number][] = [
        ['acknowledged writes are lost', acknowledged.filter(({ text }) => times(text) === 0).length],
        ['writes are stored twice', [...storedCounts.values()].filter((count) => count > 1).length],
        [
          'writes are stored of which it was said that nothing was',
          [...refusedTexts].filter((text) => times(text) > 0).length,
        ],
        [`answers are neither stored nor refused: ${wrongAnswers[0]}`, wrongAnswers.length],
      ];
      const foundFaults = faults.filter(([, count]) => count > 0);
      if (foundFaults.length > 0)
        throw new Error(foundFaults.map(([description, count]) => `${count} ${description}`).join(', '));
      return {
        acknowledged: acknowledged.length,
        repeatedCount,
        refusedCount: refusedTexts.size,
        unknown: unknowns,
      };
    },
  };
}

/** The outcome of a write according to its response. A call with a key may find its first one still in progress. */
function meaning(
  { status, body, headers }: ServerAnswer,
  hasKey: boolean,
): 'acknowledged' | 'refused' | 'unknown' | 'wrong' {
  if (status === 200 || status === 201) return 'acknowledged';
  const { code } = (body ?? {}) as { code?: string };
  if (hasKey && status === 409 && code !== 'CONFLICT_STALE') return 'refused';
  // A lock, disk or connection error: always 503 with Retry-After, or 507 without space.
  if ((status !== 503 && status !== 507) || headers?.get('retry-after') === null) return 'wrong';
  return code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'refused';
}

/** The figures of writers as text. */
export function describeWriters({ acknowledged, repeatedCount, refusedCount, unknown }: WriterResult): string {
  return `${acknowledged.toLocaleString('en')} writes acknowledged (${repeatedCount} at a repetition), ${refusedCount} refused, ${unknown} said to be unknown: 0 lost, 0 doubled, 0 said undone and stored`;
}
