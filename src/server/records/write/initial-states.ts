import { Level } from '../../../engine/definitions/level';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import { isEmpty } from '../../../engine/values/is-empty';
import type { QueryScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { withLookedUpDefaults } from './default-lookups';
import type { Input } from './input';
import { findState, missingStateMessage, stateRelations } from './states';
import { requireValue } from '../../../engine/values/lookups';

/** States that were looked up, for callers that create many records: field, company and name → id. */
export type KnownStates = Map<string, number | undefined>;

/** A new record's input with the defaults that are looked up, and the initial states of relations that have none. */
export async function withInitialStates(
  scope: QueryScope,
  sentInput: Input,
  knownStates: KnownStates = new Map(),
): Promise<Input> {
  const { context, definition, queries } = scope;
  const input = await withLookedUpDefaults(scope, sentInput, knownStates);
  const open = stateRelations(definition).filter(
    ({ name, initial }) => initial !== undefined && isEmpty(input.values[name]) && !input.errors[name],
  );
  if (open.length === 0) return input;
  const values: ResourceRecord = { ...input.values };
  const errors = { ...input.errors };
  for (const field of open) {
    const name = requireValue(field.initial, `the initial state of ${field.name}`);
    const key = `${field.name} ${String(values.site_id ?? '')} ${field.choices ? JSON.stringify(values) : ''}`;
    if (!knownStates.has(key))
      knownStates.set(key, await findState({ context, definition, queries }, field, name, ownValues(context, values)));
    const id = knownStates.get(key);
    if (id === undefined) errors[field.name] = missingStateMessage(context, field, name);
    else values[field.name] = id;
  }
  const initial = new Set([...(input.initial ?? []), ...open.map(({ name }) => name)]);
  return { ...input, values, errors, initial };
}

/** The values with the company that the record gets. */
function ownValues({ actor }: RequestContext, values: ResourceRecord): ResourceRecord {
  return actor.level === Level.Installation
    ? { ...values, site_id: values.site_id ?? null }
    : { ...values, site_id: actor.site_id };
}
