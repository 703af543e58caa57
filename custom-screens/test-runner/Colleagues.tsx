import { Icon } from '../../src/app/icons/Icon';
import { PresentPeople } from '../../src/app/presence/PresentPeople';
import * as styles from './runner.module.css';
import { useMemo } from 'react';
import { usePresence } from '../../src/app/presence/usePresence';
import type { Entry } from './runnerApi';

const namesOf = (people: readonly Colleague[]) => people.map(({ name }) => name).join(', ');

/** The colleagues in the run now, each with a green dot. */
export function Colleagues({ people }: { people: readonly Colleague[] }) {
  return people.length > 0 && <PresentPeople {...{ people }} label={`In this run now: ${namesOf(people)}`} />;
}

/** The colleagues at a test of the list. */
export function EntryColleagues({ people = [] }: { people: readonly Colleague[] | undefined }) {
  const label = `${namesOf(people)} ${people.length === 1 ? 'is' : 'are'} at this test now`;
  return people.length > 0 && <PresentPeople {...{ people, label }} maxFaces={1} size={20} />;
}

/** Says that a colleague is at the test that is open, so that nobody does the work twice. */
export function ColleagueBar({ people }: { people: readonly Colleague[] | undefined }) {
  if (!people?.length) return null;
  return (
    <div className={styles.banner} role="status">
      <Icon name="users" />
      <span>
        <b>
          {namesOf(people)} {people.length === 1 ? 'is' : 'are'} at this test now.
        </b>{' '}
        Choose another one, or agree who runs it.
      </span>
    </div>
  );
}

/** A person who also runs tests of the run now. */
export interface Colleague {
  readonly id: number;
  readonly name: string;
}

/** The colleagues in a run: who is at which test, and everybody once. */
interface PresentColleagues {
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
