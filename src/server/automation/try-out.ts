import { sql } from 'kysely';
import { describeReason, describeUntouched } from '../../engine/automations/describe';
import type { TriedAutomation, TriedStep, TriedValue } from '../../engine/automations/trial';
import { describeCondition } from '../../engine/conditions/describe-condition';
import { unwrapId } from '../../engine/conditions/variables';
import type {
  Automation,
  ChangeEvent,
  Condition,
  Definition,
  ResourceRecord,
} from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { fieldTypeOf } from '../../engine/field-types';
import { accessFilterIfGranted, assertGranted, readableFields } from '../access/access-filter';
import { resolveCondition } from '../sql/statement-parameter';
import type { TransactionScope } from '../access/record-scope';
import { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { HttpError, Invalid, NotFound } from '../errors/errors';
import type { Program } from '../program';
import { inSavepoint } from '../records/write/savepoints';
import { isValid, parseInput } from '../records/write/input';
import { recordCompany } from '../records/write/references';
import { historyValues, translateDatabaseErrors } from '../records/write/row-writes';
import { lockRow } from '../records/write/stored-row';
import { changedNames, triggerStates, whyUntouched, type TriggeringChange } from '../records/write/triggers';
import { storeChanges } from '../records/write/update';
import type { StatementContext } from '../sql/computed-sql';
import { visibleTitleSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import { contextOfUser, userOfAddress } from '../accounts/users/acting-user';
import { canView, loadStoredRow } from './record-values';
import { doAutomation, zoneOfAutomation } from './run-automation';
import { knownAt, looksAt, scheduleReason, timeTriggerOf } from './schedules';
import type { StepEffect, StepResult } from './steps';
import { webhookMessage, webhookResult } from './webhooks/queue-delivery';

/** The record and the change on which automations are tried out. */
export interface TryOut {
  readonly record: number;
  /** The event on the record; by default, for each automation, the one that it waits for. */
  readonly trigger?: ChangeEvent | 'time';
  /** The values that the change gives to fields; otherwise each field counts as just filled in. */
  readonly changed?: Readonly<Record<string, unknown>>;
  /** Who makes the change; otherwise whoever tries it out. */
  readonly author?: number;
}

/** Ends the transaction of a try-out, so that nothing of it stays. */
class NothingStays extends Error {}

/** Replaces values and users that the caller may not see. */
const hidden = '(hidden)';

/**
 * Tries out the automations of a definition on a stored record. Changes and steps are really made, as a run makes
 * them, in one transaction that is rolled back: messages, mails and events of it only come about with a commit. Throws
 * NotFound for a record that the caller may not view, and what refuses the change.
 */
export async function tryAutomations(
  caller: RequestContext,
  registry: Registry,
  name: string,
  request: TryOut,
): Promise<TriedAutomation[]> {
  const { program, actor, timeZone } = caller;
  const definitions = { ...program.definitions, registry: () => registry };
  const trial: Program = { ...program, definitions };
  const witness = new RequestContext(trial, actor, timeZone);
  let triedAutomations: TriedAutomation[] = [];
  try {
    await program.database.transaction(async (trx) => {
      triedAutomations = await tryAll({ context: witness, definition: registry.getOrThrow(name), trx }, request);
      throw new NothingStays();
    });
  } catch (error) {
    if (!(error instanceof NothingStays)) throw error;
  }
  return triedAutomations;
}

/** The data that the trials of all automations of a definition share. */
interface Trial {
  readonly witness: RequestContext;
  readonly definition: Definition;
  readonly asked: TryOut;
  readonly author: RequestContext;
  readonly change: TriggeringChange;
  readonly stored: ResourceRecord;
  readonly trx: Transaction;
}

async function tryAll(scope: TransactionScope, request: TryOut) {
  const { context: witness, definition, trx } = scope;
  const { record: id, changed: changedValues } = request;
  const recordReference = { definition, id, company: null, isDeleted: false };
  if (!(await canView(witness, recordReference, trx))) throw new NotFound();
  const author = await authorOf(witness, request, trx);
  const { values: previousValues } = await lockRow(scope, id, 'refer');
  if (changedValues) await change({ context: author, definition, trx }, id, changedValues);
  const { values } = await lockRow(scope, id, 'refer');
  const storedRow = (await loadStoredRow(definition, id, trx))!;
  const trial: Trial = {
    witness,
    definition,
    asked: request,
    author,
    change: { ...(changedValues && request.trigger !== 'create' && { before: previousValues }), values },
    stored: storedRow,
    trx,
  };
  const triedAutomations: TriedAutomation[] = [];
  for (const automation of definition.automations) {
    await sql`savepoint one_automation`.execute(trx);
    triedAutomations.push(await tryOne(trial, automation));
    await sql`rollback to savepoint one_automation`.execute(trx);
  }
  return triedAutomations;
}

/** Who makes the change. Throws Invalid for a user whom the caller may not view, or who cannot sign in. */
async function authorOf(witness: RequestContext, { author }: TryOut, trx: Transaction): Promise<RequestContext> {
  if (author === undefined) return witness;
  const isShown = (await titlesFor({ context: witness, definition: peopleOf(witness), trx }, [author])).has(author);
  const zone = witness.timeZone;
  const context = isShown ? await contextOfUser(witness.program, trx, author, { zone, depth: 0 }) : undefined;
  if (!context) throw new Invalid({ author: 'There is no such user who can sign in.' });
  return context;
}

/** Makes the change that is tried out, with all that a request of its author would meet. */
async function change(
  scope: TransactionScope,
  id: number,
  changedValues: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { context: author, definition } = scope;
  assertGranted(author, definition, 'edit');
  const input = parseInput(definition, { values: changedValues, text: false });
  if (!isValid(input)) throw new Invalid(input.errors);
  try {
    await translateDatabaseErrors(author, definition, () => storeChanges(scope, id, input));
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new Invalid({ author: `The author may not see this ${definition.labels.one.toLowerCase()}.` });
  }
}

/** The event on the record for an automation: the chosen one, or the one that it waits for. */
function eventFor({ events }: Automation, { trigger, changed: changedValues }: TryOut): ChangeEvent | 'time' {
  if (trigger) return trigger;
  return events.length === 0 ? 'time' : changedValues || events.includes('update') ? 'update' : events[0]!;
}

async function tryOne(trial: Trial, automation: Automation): Promise<TriedAutomation> {
  const { name, label } = automation;
  const event = eventFor(automation, trial.asked);
  const verdict = await decide(trial, automation, event);
  const { runs, reason, unmet: unmetConditions } = verdict;
  const outcome = runs ? await perform(trial, automation, event, reason) : notRun;
  return { name, label, runs, reason, unmet: unmetConditions, ...outcome };
}

const notRun = { as: null, state: null, message: null, steps: [] } as const;

/** Whether an automation runs, and why or why not. */
type Verdict = Pick<TriedAutomation, 'runs' | 'reason' | 'unmet'>;

const no = (reason: string, unmetConditions: readonly string[] = []): Verdict => ({
  runs: false,
  reason,
  unmet: unmetConditions,
});

const changeWords: Readonly<Record<ChangeEvent, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  comment: 'commented on',
};

async function decide(trial: Trial, automation: Automation, event: ChangeEvent | 'time'): Promise<Verdict> {
  const { definition, change, author, trx } = trial;
  const { events, where: condition, idleTime } = automation;
  if (event === 'time') {
    if (events.length > 0) return no('It waits for a change of the record, not for a time.');
    return decideSchedule(trial, automation);
  }
  if (events.length === 0)
    return no(idleTime === null ? 'It waits for its time.' : 'It waits until nothing has changed.');
  if (!events.includes(event))
    return no(
      `It runs when a record is ${events.map((event) => changeWords[event]).join(' or ')}, not ${changeWords[event]}.`,
    );
  const names = changedNames(definition, event, change);
  const states = await triggerStates({ context: author, definition, trx }, [change]);
  const untouchedReason = whyUntouched(definition, automation, event, change, names, states);
  if (untouchedReason) return no(describeUntouched(definition, automation, untouchedReason));
  const unmetConditions = condition ? await unmetParts(trial, condition, author.evaluationContext, trx) : [];
  if (unmetConditions.length > 0) return no('Its condition is not met.', unmetConditions);
  return {
    runs: true,
    reason: describeReason(definition, automation, event, change.values, names),
    unmet: unmetConditions,
  };
}

/** As if the time of a schedule had come. */
async function decideSchedule({ witness, ...trial }: Trial, automation: Automation): Promise<Verdict> {
  const { definition, trx } = trial;
  const { runAs, where: condition } = automation;
  const { program, registry } = witness;
  try {
    const zone = await zoneOfAutomation(trx, automation, recordCompany(definition, trial.change.values));
    const user = runAs.includes('@') ? await userOfAddress(trx, runAs) : null;
    const context = user === null ? undefined : await contextOfUser(program, trx, user, { zone, depth: 0 });
    const statementContext = knownAt(new Date(), zone, context);
    const looked = predicateToSql(looksAt(registry, definition, context), definition, 't', registry, statementContext);
    if (!(await matchesRecord(trial, looked)))
      return no('It only looks at records that are not archived and that its user may list.');
    const unmetConditions = condition ? await unmetParts({ witness, ...trial }, condition, statementContext, trx) : [];
    if (unmetConditions.length > 0) return no('Its condition is not met.', unmetConditions);
    return { runs: true, reason: scheduleReason(definition, automation), unmet: unmetConditions };
  } catch (error) {
    if (error instanceof HttpError) return no(error.message);
    throw error;
  }
}

async function matchesRecord(
  { definition, change, trx }: Omit<Trial, 'witness'>,
  test: ReturnType<typeof predicateToSql>,
) {
  const { rows } = await sql`select from ${sql.id('public', definition.table)} t
    where t.id = ${change.values.id as number} and ${test}`.execute(trx);
  return rows.length > 0;
}

/** The parts of a condition, all of which have to hold. */
function partsOf(condition: Condition): Condition[] {
  return Object.entries(condition).flatMap(([key, value]) =>
    key === '$and' && Array.isArray(value) ? (value as Condition[]).flatMap(partsOf) : [{ [key]: value } as Condition],
  );
}

/** The parts of a condition that do not hold, in words. */
async function unmetParts(
  trial: Trial,
  condition: Condition,
  statementContext: StatementContext,
  trx: Transaction,
): Promise<string[]> {
  const { registry } = trial.witness;
  const unmetConditions: string[] = [];
  for (const part of partsOf(condition)) {
    const test = predicateToSql(
      resolveCondition(part, statementContext),
      trial.definition,
      't',
      registry,
      statementContext,
    );
    if (!(await matchesRecord({ ...trial, trx }, test))) unmetConditions.push(describeCondition(part));
  }
  return unmetConditions;
}

/** Does the steps within the transaction, and says what they did. */
async function perform(trial: Trial, automation: Automation, event: ChangeEvent | 'time', reason: string) {
  const { witness, definition, author, change, trx } = trial;
  const { values } = change;
  const isDeleted = event === 'delete';
  const names = Object.keys(definition.fields);
  const storedRow = isDeleted ? historyValues(definition, values, names) : trial.stored;
  const company = recordCompany(definition, values);
  const recordReference = { definition, id: values.id as number, company, isDeleted };
  const trigger = event === 'time' ? timeTriggerOf(automation) : event;
  const run = { user_id: event === 'time' ? null : author.actor.id, depth: 1, trigger, reason };
  const results: { step: string; result: StepResult }[] = [];
  let user: number | undefined;
  const end = await inSavepoint(trx, () =>
    doAutomation(
      witness.program,
      { run, automation, recordReference, storedValues: storedRow },
      {
        onUser: (id) => (user = id),
        onStep: (step, result) => results.push({ step, result }),
        sendWebhook: async (_, subject) => webhookResult(subject.name, (await webhookMessage(subject, trx)).body),
        witness,
      },
      trx,
    ),
  );
  const steps: TriedStep[] = [];
  for (const { step, result } of results)
    steps.push({ step, text: result.text, ...(await shownEffect(witness, result.effect, trx)) });
  const viewedUser = user === undefined ? null : await userName(witness, user, trx);
  return end instanceof HttpError
    ? { as: viewedUser, state: 'refused' as const, message: end.message, steps }
    : { as: viewedUser, state: 'done' as const, message: null, steps };
}

async function shownEffect(
  witness: RequestContext,
  effect: StepEffect,
  trx: Transaction,
): Promise<Omit<TriedStep, 'step' | 'text'>> {
  switch (effect.kind) {
    case 'notify': {
      const users = effect.messages.map(({ user }) => user);
      const names = await titlesFor({ context: witness, definition: peopleOf(witness), trx }, users);
      return { messages: effect.messages.map(({ user, text }) => ({ user: names.get(user) ?? hidden, text })) };
    }
    case 'mail': {
      if (!effect.mail) return {};
      const { user, ...mail } = effect.mail;
      return { mail: { user: user === undefined ? null : await userName(witness, user, trx), ...mail } };
    }
    case 'set':
    case 'create': {
      const { resource } = effect;
      const records = [];
      for (const values of effect.records)
        records.push({ resource, values: await shownValues(witness, resource, values, trx) });
      return { records };
    }
    case 'webhook':
      return { webhook: { name: effect.name, body: effect.body } };
  }
}

async function shownValues(
  witness: RequestContext,
  resource: string,
  values: ResourceRecord,
  trx: Transaction,
): Promise<TriedValue[]> {
  const definition = witness.registry.getOrThrow(resource);
  const { fields } = definition;
  const readable = readableFields(witness.actor, definition, 'view').always;
  const triedValues: TriedValue[] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]!;
    const { label } = field;
    if (!readable.has(name)) {
      triedValues.push({ field: name, label, value: null, text: hidden });
    } else if (field.to !== undefined && !field.inverse) {
      const ids = [value]
        .flat()
        .map(unwrapId)
        .filter((id): id is number => typeof id === 'number');
      const titles = await titlesFor({ context: witness, definition: witness.registry.getOrThrow(field.to), trx }, ids);
      triedValues.push({ field: name, label, value, text: ids.map((id) => titles.get(id) ?? hidden).join(', ') });
    } else {
      const text = value === null || value === undefined ? '' : fieldTypeOf(field).toText(value, field);
      triedValues.push({ field: name, label, value: value ?? null, text });
    }
  }
  return triedValues;
}

const peopleOf = ({ registry }: RequestContext): Definition => registry.getOrThrow('users');

async function userName(witness: RequestContext, id: number, trx: Transaction): Promise<string> {
  return (await titlesFor({ context: witness, definition: peopleOf(witness), trx }, [id])).get(id) ?? hidden;
}

/** The titles of those records that somebody may view. */
async function titlesFor(
  { context, definition, trx }: TransactionScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const visibleRows = accessFilterIfGranted(context, definition, 'view', { archived: 'any' });
  if (!visibleRows || ids.length === 0) return new Map();
  const { actor, registry, evaluationContext } = context;
  const { rows } = await sql<{ id: number; title: string | null }>`select t.id,
      ${visibleTitleSql(actor, definition, 't', registry)}::text as title
    from ${sql.id('public', definition.table)} t where t.id = any(${ids}::bigint[])
      and ${predicateToSql(visibleRows, definition, 't', registry, evaluationContext)}`.execute(trx);
  return new Map(rows.map(({ id, title }) => [id, title ?? `#${id}`]));
}
