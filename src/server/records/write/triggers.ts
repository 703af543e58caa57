import { sql } from 'kysely';
import { authorOf } from '../../../engine/access/actor';
import type { EvaluationContext } from '../../../engine/conditions/variables';
import type {
  Automation,
  ChangeEvent,
  Definition,
  Field,
  ResourceRecord,
} from '../../../engine/definitions/definition';
import { pinnedBy } from '../../../engine/normalise/pins';
import { isEmpty } from '../../../engine/values/is-empty';
import { stateOf } from '../../../engine/validation/state-of';
import { describeReason, type Untouched } from '../../../engine/automations/describe';
import { resolveCondition } from '../../sql/statement-parameter';
import type { TransactionScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { runStatement, type Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { recordCompany } from './references';
import { historyValues } from './row-writes';
import { placeField } from '../read/query/order';
import { bind, cachedStatement, conditionKey, Placeholder } from '../read/statement-cache';
import { relatedStates } from './states';
import { changedFields } from './stored-row';

/** How many automations may follow from one another: those beyond are recorded as stopped. */
const maxDepth = 5;

/** A record that is created, changed or deleted. */
export interface TriggeringChange {
  /** The record before the change; undefined for a new one. */
  readonly before?: ResourceRecord;
  /** The record as it is stored now; of a deleted one, as it was. */
  readonly values: ResourceRecord;
}

/** Whether a change of a resource's records can start automations: then it needs a transaction. */
export function hasAutomations({ automations }: Definition, event: ChangeEvent): boolean {
  return automations.some(({ events }) => events.includes(event));
}

/**
 * Decides within the transaction of a change which automations it starts, and stores their runs with it: both are
 * committed, or neither. Call it after rows were created or changed, and before they are deleted.
 */
export async function startAutomations(
  scope: TransactionScope,
  event: ChangeEvent,
  changes: readonly TriggeringChange[],
): Promise<void> {
  const { context, definition, trx } = scope;
  if (!hasAutomations(definition, event) || changes.length === 0) return;
  const runs: NewRun[] = [];
  const states = await triggerStates(scope, changes);
  for (const automation of definition.automations) {
    if (!automation.events.includes(event)) continue;
    const affectedChanges = changes.flatMap((change) => {
      const names = changedNames(definition, event, change);
      return whyUntouched(definition, automation, event, change, names, states) ? [] : [{ change, names }];
    });
    const matchedIds = await matchingIds(
      scope,
      automation,
      affectedChanges.map(({ change }) => change.values.id as number),
    );
    for (const { change, names } of affectedChanges) {
      const { values } = change;
      if (!matchedIds.has(values.id as number)) continue;
      runs.push({
        ...runOf(definition, automation, event),
        site_id: recordCompany(definition, values) ?? null,
        record_id: values.id as number,
        reason: describeReason(definition, automation, event, values, names),
        depth: context.depth + 1,
        user_id: authorOf(context.actor),
        snapshot:
          event === 'delete' ? JSON.stringify(historyValues(definition, values, Object.keys(definition.fields))) : null,
        ...(event === 'comment' && { due_at: new Date(context.now) }),
      });
    }
  }
  await storeRuns(context.program, runs, trx);
}

/** A run to be stored. */
interface NewRun {
  readonly resource: string;
  readonly automation: string;
  readonly label: string;
  readonly trigger: string;
  readonly as_whom: string;
  readonly site_id: number | null;
  readonly record_id: number;
  readonly reason: string;
  readonly depth: number;
  readonly user_id: number | null;
  readonly snapshot: string | null;
  /** When it was due, of a schedule; when the comment was written. */
  readonly due_at?: Date;
}

export function runOf(definition: Definition, { name, label, runAs }: Automation, trigger: string) {
  return { resource: definition.name, automation: name, label, trigger, as_whom: runAs };
}

/** Rows per statement: PostgreSQL allows 65,535 parameters. */
const batchSize = 1_000;

/** Stores runs, and messages for those that are not stopped. */
export async function storeRuns(
  { queue }: Pick<RequestContext['program'], 'queue'>,
  runs: readonly NewRun[],
  trx: Transaction,
): Promise<void> {
  for (let start = 0; start < runs.length; start += batchSize) {
    const rows = runs.slice(start, start + batchSize).map((run) => {
      const isStopped = run.depth > maxDepth;
      return {
        ...run,
        state: isStopped ? 'stopped' : 'waiting',
        message: isStopped
          ? `Stopped: ${maxDepth} automations have followed from one another before this one. Does one of them start itself again? Narrow it with "changed" or "where".`
          : null,
        ...(isStopped && { finished_at: new Date() }),
      };
    });
    const storedRuns = await onEngineTables(trx)
      .insertInto('automation_runs')
      .values(rows)
      .returning(['id', 'state'])
      .execute();
    const open = storedRuns.filter(({ state }) => state === 'waiting').map(({ id }) => ({ run: Number(id) }));
    await queue.send(trx, 'automations', open);
  }
}

/** The fields that a change is one of. */
export function changedNames(
  definition: Definition,
  event: ChangeEvent,
  { before: storedRecord, values }: TriggeringChange,
): string[] {
  if (event === 'delete' || event === 'comment') return [];
  if (!storedRecord) return Object.keys(values).filter((name) => !isEmpty(values[name]));
  return [...changedFields(definition, storedRecord, values)];
}

/** Why a change is none that an automation waits for; undefined if it is. */
export function whyUntouched(
  definition: Definition,
  { changedFields: watchedFields, transition }: Pick<Automation, 'changedFields' | 'transition'>,
  event: ChangeEvent,
  { before: storedRecord, values }: TriggeringChange,
  names: readonly string[],
  states: NonNullable<EvaluationContext['states']>,
): Untouched | undefined {
  if (event === 'delete' || event === 'comment') return undefined;
  const { fields } = definition;
  // Stamps and the place on a board alone are no change.
  const isNews = (name: string) =>
    fields[name] && name !== placeField(definition)?.name && (!fields[name].system || pinnedBy({ fields }, name));
  if (storedRecord && !names.some(isNews)) return 'nothing';
  if (watchedFields.length > 0 && !watchedFields.some((name) => names.includes(name))) return 'changed';
  if (!transition) return undefined;
  const state = stateOf(fields[transition.field]!, values[transition.field] ?? null, { states });
  return state === transition.to && names.includes(transition.field) ? undefined : 'transition';
}

/** The states of changed records in the relations whose transitions automations wait for. */
export async function triggerStates(
  { context, definition, trx }: TransactionScope,
  changes: readonly TriggeringChange[],
): Promise<NonNullable<EvaluationContext['states']>> {
  const waitsFor = ({ name }: Field) => definition.automations.some(({ transition }) => transition?.field === name);
  const values = changes.map((change) => change.values);
  return relatedStates({ context, definition, queries: trx }, values, waitsFor);
}

/** The records that match the condition of an automation, as the one who made the change sees them. */
export async function matchingIds(
  { context, definition, trx }: TransactionScope,
  { where: condition }: Automation,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (!condition || ids.length === 0) return new Set(ids);
  const { registry, evaluationContext } = context;
  const filter = resolveCondition(condition, evaluationContext);
  const plan = cachedStatement(
    context,
    `triggers|${conditionKey(context, definition, filter)}`,
    () => sql`select t.id from ${sql.id('public', definition.table)} t
      where t.id = any(${new Placeholder('ids')}::bigint[])
        and ${predicateToSql(filter, definition, 't', registry, evaluationContext)}`,
  );
  const rows = await runStatement<{ id: number }>(trx, bind(plan, { ids }));
  return new Set(rows.map(({ id }) => id));
}
