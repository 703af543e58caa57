import { Icon } from '../../src/app/icons/Icon';
import { PresentPeople } from '../../src/app/presence/PresentPeople';
import type { Colleague } from './useColleagues';
import * as styles from './runner.module.css';

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
