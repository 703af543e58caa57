import type { Definition, HookEvent, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Queries, Transaction } from '../database/database';
import { Conflict, Invalid, Refused } from '../errors/errors';

/** What a hook works on, as far as it differs from event to event. */
export interface HookPlace {
  readonly before?: ResourceRecord;
  readonly values: ResourceRecord;
  readonly records?: ResourceRecord[];
  readonly input: Readonly<ResourceRecord>;
  /** Without one, a hook reads on a connection of its own. */
  readonly trx?: Transaction;
}

/** Runs the hooks of an event one after the other; answers the values with what the hooks changed. */
export async function runHooks(
  context: RequestContext,
  definition: Definition,
  event: HookEvent,
  place: HookPlace,
): Promise<ResourceRecord> {
  let { values } = place;
  for (const name of definition.hooks[event] ?? []) {
    const changed = await context.program.hooks[name]!({
      program: context.program,
      trx: (place.trx ?? (context.program.database.kysely as Queries)) as Transaction,
      actor: context.actor,
      definition,
      event,
      before: place.before,
      values,
      records: place.records ?? [],
      input: place.input,
      surroundings: { ...context.surroundings, record: place.before, form: values },
      fail: (field, message) => {
        throw new Invalid({ [field]: message });
      },
      refuse: (message) => {
        throw new Refused(message);
      },
      conflict: (message) => {
        throw new Conflict(message);
      },
    });
    if (changed) values = { ...values, ...changed };
  }
  return values;
}

/** Whether something runs at an event. */
export function hasHooks(definition: Definition, ...events: readonly HookEvent[]): boolean {
  return events.some((event) => (definition.hooks[event]?.length ?? 0) > 0);
}
