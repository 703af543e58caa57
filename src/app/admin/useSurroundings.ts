import { useMemo, useSyncExternalStore } from 'react';
import type { Surroundings } from '../../engine/conditions/variables';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { valuesFrom } from '../../engine/lists/presets';
import { localToday } from '../fields/localTime';
import { useDefinitions } from './DefinitionsContext';
import { useMe } from './DefinitionsProvider';

const minute = 60_000;

/** The day and the minute, which conditions know as `$today` and `$now`; one timer for all who ask. */
let moment = readMoment();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function readMoment(): { readonly today: string; readonly now: string } {
  return { today: localToday(), now: new Date(Math.floor(Date.now() / minute) * minute).toISOString() };
}

function awaitNextMinute(): void {
  timer = setTimeout(tick, minute - (Date.now() % minute));
}

function tick(): void {
  moment = readMoment();
  for (const listener of listeners) listener();
  awaitNextMinute();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) awaitNextMinute();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function currentMoment() {
  // Nobody was listening for a while.
  if (timer === undefined && moment.now !== readMoment().now) moment = readMoment();
  return moment;
}

/** What conditions on lists, boards and cards may refer to: who is signed in, the day, and the minute as it passes. */
export function useSurroundings(): Surroundings {
  const { actor } = useDefinitions();
  const me = useMe();
  const now = useSyncExternalStore(subscribe, currentMoment);
  return useMemo(() => ({ actor: { ...me, ...actor }, ...now }), [actor, me, now]);
}

/** Values as a definition writes them, for a record: the same object for as long as they are the same. */
export function useValues(
  written: Readonly<Record<string, unknown>> | undefined,
  record: ResourceRecord | undefined,
): ResourceRecord {
  const surroundings = useSurroundings();
  const values = valuesFrom(written ?? {}, { ...surroundings, record });
  const text = JSON.stringify(values);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- equal values are the same list
  return useMemo(() => values, [text]);
}
