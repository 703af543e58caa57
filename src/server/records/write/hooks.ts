import type { Definition, HookEvent, ResourceRecord } from '../../../engine/definitions/definition';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import type { Queries, Transaction } from '../../database/database';
import { Conflict, Invalid, Forbidden } from '../../errors/errors';
import type { HookContext } from '../../program';

/** The part of a hook's context that differs from event to event. */
export interface HookInput {
  readonly before?: ResourceRecord;
  readonly values: ResourceRecord;
  readonly records?: ResourceRecord[];
  readonly input: Readonly<ResourceRecord>;
  /** Without a transaction, a hook reads on a connection of its own. */
  readonly trx?: Transaction;
}

/** Runs the hooks of an event one after the other. Returns the values with the hooks' changes. */
export async function runHooks(scope: RecordScope, event: HookEvent, hookInput: HookInput): Promise<ResourceRecord> {
  const { context, definition } = scope;
  let { values } = hookInput;
  for (const name of definition.hooks[event] ?? []) {
    const changedValues = await context.program.hooks[name]!(hookContext(scope, event, { ...hookInput, values }));
    if (changedValues) values = { ...values, ...changedValues };
  }
  return values;
}

/** Runs `afterSave` for many records of a definition: once for all of them if the hook supports it. */
export async function runHooksForMany(
  context: RequestContext,
  definition: Definition,
  hookInputs: readonly HookInput[],
): Promise<void> {
  if (hookInputs.length === 0) return;
  for (const name of definition.hooks.afterSave ?? []) {
    const hook = context.program.hooks[name]!;
    const contexts = hookInputs.map((hookInput) => hookContext({ context, definition }, 'afterSave', hookInput));
    if (hook.runMany) await hook.runMany(contexts);
    else for (const hookCall of contexts) await hook(hookCall);
  }
}

/** Whether no `afterSave` hook has anything to do for a change. */
export function areHooksIdle(context: RequestContext, definition: Definition, hookInput: HookInput): boolean {
  return (definition.hooks.afterSave ?? []).every(
    (name) =>
      context.program.hooks[name]!.isIdle?.(hookContext({ context, definition }, 'afterSave', hookInput)) ?? false,
  );
}

function hookContext({ context, definition }: RecordScope, event: HookEvent, hookInput: HookInput): HookContext {
  const { values } = hookInput;
  return {
    program: context.program,
    trx: (hookInput.trx ?? (context.program.database.kysely as Queries)) as Transaction,
    actor: context.actor,
    definition,
    event,
    previousRow: hookInput.before,
    values,
    records: hookInput.records ?? [],
    input: hookInput.input,
    verifiedFields: context.verifiedFields,
    evaluationContext: { ...context.evaluationContext, record: hookInput.before, form: values },
    fail: (field, message) => {
      throw new Invalid({ [field]: message });
    },
    forbid: (message) => {
      throw new Forbidden(message);
    },
    conflict: (message) => {
      throw new Conflict(message);
    },
  };
}

/** Whether there are hooks for one of these events. */
export function hasHooks(definition: Definition, ...events: readonly HookEvent[]): boolean {
  return events.some((event) => (definition.hooks[event]?.length ?? 0) > 0);
}
