import { useMemo, useSyncExternalStore } from 'react';
import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { resolveValues } from '../../engine/lists/presets';
import { usesCurrentTime } from '../../engine/lists/uses-current-time';
import { localToday } from './localTime';
import { useDefinitions } from './DefinitionsContext';
import { useMe } from './DefinitionsProvider';

const minute = 60_000;

/** The current day and minute, `$today` and `$now` in conditions. One timer serves all callers. */
let moment = readMoment();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function readMoment(): { readonly today: string; readonly now: string } {
  return { today: localToday(), now: new Date(Math.floor(Date.now() / minute) * minute).toISOString() };
}

function scheduleNextMinute(): void {
  timer = setTimeout(tick, minute - (Date.now() % minute));
}

function tick(): void {
  moment = readMoment();
  for (const listener of listeners) listener();
  scheduleNextMinute();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) scheduleNextMinute();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function currentMoment() {
  // There were no subscribers for a while, so the value may be stale.
  if (timer === undefined && moment.now !== readMoment().now) moment = readMoment();
  return moment;
}

const subscribeToNothing = () => () => {};
const noMoment = () => null;

/**
 * The values that conditions of lists, boards and cards refer to: the current user, day and minute. With a definition,
 * the caller re-renders each minute only if the definition refers to the time.
 *
 * @example
 * const late = matchesOnScreen(definition, { due: { $lt: '$today' } }, record, useEvaluationContext(definition));
 */
export function useEvaluationContext(definition?: Definition): EvaluationContext {
  const context = useContextOnDemand();
  const usesClock = definition === undefined || usesCurrentTime(definition);
  const now = useSyncExternalStore(usesClock ? subscribe : subscribeToNothing, usesClock ? currentMoment : noMoment);
  return useMemo(() => (now ? { actor: context.actor, ...now } : context), [context, now]);
}

/**
 * The same for values computed on a click: day and minute are read on access, and the caller does not follow them.
 *
 * @example const isAllowed = canDo(actor, definition, 'edit', record, useContextOnDemand());
 */
export function useContextOnDemand(): EvaluationContext {
  const { actor } = useDefinitions();
  const me = useMe();
  return useMemo(
    () => ({
      // Fields that the product adds to the user come from `me`; the role is its key here, as in the actor.
      actor: { ...me, role: undefined, ...actor },
      get today() {
        return readMoment().today;
      },
      get now() {
        return readMoment().now;
      },
    }),
    [actor, me],
  );
}

/**
 * Resolves a definition's values for a record. Returns the same object as long as the values are equal.
 *
 * @example const fixed = useResolvedValues({ project_id: '$record.id' }, record); // { project_id: 7 }
 */
export function useResolvedValues(
  templates: Readonly<Record<string, unknown>> | undefined,
  record: ResourceRecord | undefined,
): ResourceRecord {
  const evaluationContext = useEvaluationContext();
  const values = resolveValues(templates ?? {}, { ...evaluationContext, record });
  const text = JSON.stringify(values);
  // oxlint-disable-next-line react/exhaustive-deps -- equal values are the same list
  return useMemo(() => values, [text]);
}
