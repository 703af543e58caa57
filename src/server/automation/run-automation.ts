import { sql } from 'kysely';
import type { Automation, AutomationStep, Definition } from '../../engine/definitions/definition';
import { readableFields } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import type { Queries, Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import { Conflict, Forbidden, HttpError, NotFound } from '../errors/errors';
import type { Program } from '../program';
import { inSavepoint } from '../records/write/savepoints';
import { lockRules } from '../records/write/rule-locks';
import { matchingIds } from '../records/write/triggers';
import { queryCacheOf } from '../sql/query-cache';
import { zoneOfCompany } from '../accounts/profile/readers-formats';
import { contextOfUser, userOfAddress } from '../accounts/users/acting-user';
import { canView, idsAtPath, loadStoredRow, readableValues, type AboutRecord } from './record-values';
import { doStep, type StepResult } from './steps';
import { queueDelivery, type webhookMessage } from './webhooks/queue-delivery';

/** The resource of the runs. */
export const runsResource = 'automation-runs';

interface StoredRun {
  readonly id: number;
  readonly site_id: number | null;
  readonly resource: string;
  readonly automation: string;
  readonly record_id: number;
  readonly trigger: string;
  readonly reason: string;
  readonly depth: number;
  readonly as_whom: string;
  readonly user_id: number | null;
  readonly snapshot: Record<string, unknown> | null;
  readonly attempts: number;
  /** When it was due, of a schedule; when the comment was written. */
  readonly due_at: string | null;
}

/** The outcome of a step. */
interface StepOutcome {
  readonly step: string;
  readonly text: string;
}

/** After so many faults of the program or the database a run is given up. */
const maxAttempts = 5;
/** Seconds until a run with a fault is tried again. */
const retryDelays = [5, 30, 120, 600];

/**
 * Does what a run is for, in one transaction with its end: the row is locked, so one server does it, once. If that
 * server dies, everything is undone and the lock is free. A step that the user may not take, or that a record refuses,
 * ends the run; other faults are tried again.
 */
export async function runAutomation(program: Program, id: number): Promise<void> {
  const { database, queue, log } = program;
  await database.transaction(async (trx) => {
    const { rows } = await sql<StoredRun>`select id, site_id, resource, automation, record_id, trigger, reason, depth,
        as_whom, user_id, snapshot, attempts, due_at
      from assay.automation_runs where id = ${id} and state = 'waiting' and next_at <= now()
      for update skip locked`.execute(trx);
    const run = rows[0];
    if (!run) return;
    const steps: StepOutcome[] = [];
    const progress: RunProgress = { steps, user: run.user_id, subject: null };
    let end: { state: string; message: string | null };
    try {
      const refusal = await inSavepoint(trx, () => perform(program, run, progress, trx));
      end =
        refusal instanceof HttpError
          ? { state: 'refused', message: refusal.message }
          : { state: 'done', message: null };
    } catch (error) {
      log.warn({ err: error }, `An automation (${run.resource} ${run.automation}, run ${id}) failed`);
      const message = 'It failed for a reason that is in the log of the server.';
      const delay = retryDelays[run.attempts];
      if (run.attempts + 1 < maxAttempts && delay !== undefined) {
        const next = new Date(Date.now() + delay * 1_000);
        await onEngineTables(trx)
          .updateTable('automation_runs')
          .set((eb) => ({ attempts: eb('attempts', '+', 1), next_at: next, message }))
          .where('id', '=', id)
          .execute();
        await queue.send(trx, 'automations', [{ run: id }], next);
        return announceRun(program, run, trx);
      }
      end = { state: 'failed', message };
    }
    const finalSteps = end.state === 'done' || steps.length === 0 ? steps : steps.map(asUndone);
    await sql`update assay.automation_runs set state = ${end.state}, message = ${end.message}, attempts = attempts + 1,
        steps = ${JSON.stringify(finalSteps)}::jsonb, user_id = ${progress.user}, subject = ${progress.subject},
        finished_at = now() where id = ${id}`.execute(trx);
    announceRun(program, run, trx);
  });
}

const asUndone = ({ step, text }: StepOutcome) => ({ step, text: `Undone: ${text}` });

/** The progress of a run. */
interface RunProgress {
  readonly steps: StepOutcome[];
  user: number | null;
  subject: string | null;
}

/** Open lists of runs show it, and their counts are made again. */
function announceRun({ database, live }: Program, run: StoredRun, trx: Transaction): void {
  database.afterCommit(trx, () => queryCacheOf(database).invalidate('automation_runs'));
  live.publish({ resource: runsResource, id: run.id, event: 'updated', site_id: run.site_id }, trx);
}

async function perform(program: Program, run: StoredRun, progress: RunProgress, trx: Transaction): Promise<void> {
  const definition = program.definitions.registry().get(run.resource);
  const automation = definition?.automations.find(({ name }) => name === run.automation);
  if (!definition || !automation) throw new NotFound('The automation was removed before it ran.');
  const storedValues = run.snapshot ?? (await loadStoredRow(definition, run.record_id, trx));
  if (!storedValues) throw new NotFound('The record was deleted before the automation ran.');
  const { id, record_id, site_id: company, snapshot } = run;
  const recordReference = { definition, id: record_id, company, isDeleted: snapshot !== null };
  if (run.trigger === 'comment' && !(await isStillMet(program, run, { definition, automation }, trx)))
    throw new Conflict('Its condition is no longer met: the record was changed since the comment.');
  await doAutomation(
    program,
    { run, automation, recordReference, storedValues },
    {
      onUser: (user) => (progress.user = user),
      onSubject: (subject) => (progress.subject = subject),
      onStep: (step, { text }) => progress.steps.push({ step, text }),
      sendWebhook: (context, subject) => queueDelivery(context, { ...subject, run: { ...run, id } }, trx),
    },
    trx,
  );
}

/**
 * Whether a record still meets the condition of an automation, as the author of a comment sees it. Two comments that were
 * written at once have both met it.
 */
async function isStillMet(
  program: Program,
  { user_id, record_id, depth, due_at }: StoredRun,
  { definition, automation }: { readonly definition: Definition; readonly automation: Automation },
  trx: Transaction,
): Promise<boolean> {
  if (!automation.where || user_id === null) return true;
  const { timeZone } = automation;
  const dueAt = due_at === null ? undefined : new Date(due_at).toISOString();
  const author = await contextOfUser(program, trx, user_id, {
    zone: timeZone,
    depth,
    ...(dueAt !== undefined && { dueAt }),
  });
  if (author) await lockRules(author, [definition], trx);
  // The run of another comment may be about to change it.
  await sql`select from ${sql.id('public', definition.table)} where id = ${record_id} for no key update`.execute(trx);
  return (
    author === undefined || (await matchingIds({ context: author, definition, trx }, automation, [record_id])).size > 0
  );
}

/** The run, the automation and the record that a run is about. */
interface AutomationSubject {
  readonly run: Pick<StoredRun, 'user_id' | 'depth' | 'trigger' | 'reason'> & Partial<Pick<StoredRun, 'due_at'>>;
  readonly automation: Automation;
  readonly recordReference: Omit<AboutRecord, 'storedValues' | 'readable'>;
  readonly storedValues: Record<string, unknown>;
}

/** Receives the progress of an automation, and says how it calls webhooks. */
interface AutomationObserver {
  onUser(id: number): void;
  onSubject?(title: string): void;
  onStep(kind: AutomationStep['kind'], result: StepResult): void;
  sendWebhook(context: RequestContext, about: Parameters<typeof webhookMessage>[0]): Promise<StepResult>;
  /** Who is shown what would be done. */
  readonly witness?: RequestContext;
}

/** Does the steps of an automation within a transaction. Throws what ends it. */
export async function doAutomation(
  program: Program,
  { run, automation, recordReference, storedValues }: AutomationSubject,
  observer: AutomationObserver,
  trx: Transaction,
): Promise<void> {
  const { definition } = recordReference;
  const { witness } = observer;
  const context = await actingContext(program, run, automation, { ...recordReference, storedValues }, trx);
  observer.onUser(context.actor.id);
  if (!(await canView(context, recordReference, trx)))
    throw new Forbidden(
      `The user with whose permissions it runs may not view this ${definition.labels.one.toLowerCase()}.`,
    );
  let record = await aboutRecord(context, recordReference, storedValues, trx, witness);
  observer.onSubject?.(titleOf(record));
  for (const step of automation.steps) {
    const result = await doStep(step, {
      context,
      record,
      trx,
      ...(witness && { witness }),
      sendWebhook: (name) => observer.sendWebhook(context, { name, run, automation, record }),
    });
    observer.onStep(step.kind, result);
    // The next step sees what this one has stored.
    if (step.kind === 'set') {
      record = await aboutRecord(
        context,
        recordReference,
        (await loadStoredRow(definition, recordReference.id, trx)) ?? storedValues,
        trx,
        witness,
      );
    }
  }
}

/** The zone in which an automation means days: at a time of the record that of its company, otherwise the one it names. */
export async function zoneOfAutomation(
  queries: Queries,
  { dueTime, timeZone }: Pick<Automation, 'dueTime' | 'timeZone'>,
  company: number | null,
): Promise<string> {
  return dueTime ? zoneOfCompany(queries, company) : timeZone;
}

/** The context of the user with whose permissions a run works. Throws Forbidden if there is none who can sign in. */
async function actingContext(
  program: Program,
  { user_id: author, depth, due_at }: AutomationSubject['run'],
  automation: Pick<Automation, 'runAs' | 'timeZone' | 'dueTime'>,
  record: Pick<AboutRecord, 'definition' | 'storedValues' | 'id' | 'company'>,
  trx: Transaction,
): Promise<RequestContext> {
  const { runAs } = automation;
  let id = author;
  if (runAs.includes('@')) id = await userOfAddress(trx, runAs);
  else if (runAs !== 'author') {
    const lookup = { registry: program.definitions.registry() } as RequestContext;
    [id = null] = await idsAtPath(lookup, record, runAs, trx);
    if (id === null)
      throw new Forbidden(`"${runAs}" of the record is empty: there is nobody with whose permissions this could run.`);
  }
  const context =
    id === null
      ? undefined
      : await contextOfUser(program, trx, id, {
          zone: await zoneOfAutomation(trx, automation, record.company),
          depth,
          ...(due_at && { dueAt: new Date(due_at).toISOString() }),
        });
  if (!context) throw new Forbidden('The user with whose permissions it would run can no longer sign in.');
  return context;
}

/** The record as the user may read it. */
async function aboutRecord(
  context: RequestContext,
  recordReference: { definition: Definition; id: number; company: number | null; isDeleted: boolean },
  storedValues: Record<string, unknown>,
  trx: Transaction,
  witness?: RequestContext,
): Promise<AboutRecord> {
  const visibleValues = () =>
    readableOf([context, ...(witness ? [witness] : [])], recordReference.definition, {
      ...storedValues,
      id: recordReference.id,
    });
  const readable = recordReference.isDeleted
    ? visibleValues()
    : await readableValues({ context, definition: recordReference.definition, trx }, recordReference.id, witness);
  return { ...recordReference, storedValues, readable };
}

function readableOf(readers: readonly RequestContext[], definition: Definition, values: Record<string, unknown>) {
  const names = readers.map(({ actor }) => readableFields(actor, definition, 'view').always);
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => names.every((fieldNames) => fieldNames.has(name))),
  );
}

function titleOf({ definition, readable, id }: AboutRecord): string {
  const title = readable[definition.titleField];
  return typeof title === 'string' && title !== '' ? title.slice(0, 200) : `#${id}`;
}
