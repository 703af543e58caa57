import { useMemo, useSyncExternalStore } from 'react';
import type { Surroundings } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { valuesFrom } from '../../engine/lists/presets';
import { usesMoment } from '../../engine/lists/uses-moment';
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

const ignoreMinutes = () => () => {};
const noMoment = () => null;

/**
 * What conditions on lists, boards and cards may refer to: who is signed in, the day, and the minute as it passes. With
 * a definition, the passing minute renders the caller again only where something in that definition refers to it.
 */
export function useSurroundings(definition?: Definition): Surroundings {
  const { actor } = useDefinitions();
  const me = useMe();
  const follows = definition === undefined || usesMoment(definition);
  const now = useSyncExternalStore(follows ? subscribe : ignoreMinutes, follows ? currentMoment : noMoment);
  return useMemo(() => {
    const who = { ...me, ...actor };
    return now ? { actor: who, ...now } : atAnyMoment(who);
  }, [actor, me, now]);
}

/** Says the day and the minute of when it is asked, for values that are worked out on a click. */
function atAnyMoment(actor: Surroundings['actor']): Surroundings {
  return {
    actor,
    get today() {
      return readMoment().today;
    },
    get now() {
      return readMoment().now;
    },
  };
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
