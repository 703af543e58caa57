import { useMemo } from 'react';
import { usePresence } from '../../src/app/presence/usePresence';
import type { Entry } from './runnerApi';

/** A person who also runs tests of the run now. */
export interface Colleague {
  readonly id: number;
  readonly name: string;
}

/** The colleagues in a run: who is at which test, and everybody once. */
export interface PresentColleagues {
  readonly byEntry: ReadonlyMap<number, readonly Colleague[]>;
  readonly people: readonly Colleague[];
}

/** Says at which test the user is, and which colleagues are at which. */
export function useColleagues(entries: readonly Entry[], current: number | undefined): PresentColleagues {
  const otherUsers = usePresence('run-entries', current, { isResourceWide: true });
  return useMemo(() => {
    if (otherUsers.length === 0) return { byEntry: new Map(), people: [] };
    const ownIds = new Set(entries.map(({ id }) => id));
    const byEntry = new Map<number, Colleague[]>();
    const people = new Map<number, Colleague>();
    for (const { record_id, user } of otherUsers) {
      if (!ownIds.has(record_id)) continue;
      byEntry.set(record_id, [...(byEntry.get(record_id) ?? []), user]);
      people.set(user.id, user);
    }
    return { byEntry, people: [...people.values()] };
  }, [entries, otherUsers]);
}
