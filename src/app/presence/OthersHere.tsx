import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { requestApi } from '../session/api';
import { useApi } from '../session/apiClient';
import { PresentPeople, type Person } from './PresentPeople';
import { usePresence } from './usePresence';
import * as styles from './presence.module.css';

interface OthersHereProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
  /** The user has changed something that is not stored yet. */
  editing?: boolean;
}

/** Who else is at the record that is open, and who is changing it. */
export function OthersHere(props: OthersHereProps) {
  const { actor } = useDefinitions();
  // A preview shows no record of anybody; whoever views as somebody else is nowhere.
  const isPreview = useApi() !== requestApi;
  return isPreview || actor.viewer ? null : <Others {...props} />;
}

function Others({ definition, record, editing = false }: OthersHereProps) {
  const others = usePresence(definition.name, Number(record.id), { editing });
  const people = others
    .map(({ user, editing: isEditing }): Person => ({ ...user, editing: isEditing }))
    .sort((one, other) => Number(other.editing) - Number(one.editing));
  const words = wordsFor(people, definition.labels.one.toLowerCase());
  return (
    <span className={styles.othersHere}>
      {people.length > 0 && <PresentPeople {...{ people }} label={words} most={3} />}
      {/* Always there, so that it is read out when somebody comes. */}
      <span className={styles.othersWords} role="status">
        {words}
      </span>
    </span>
  );
}

const names = new Intl.ListFormat('en');

/** `Mateo Vidal is editing this task. Dina Haddad is here too.` */
function wordsFor(people: readonly Person[], one: string): string {
  const [editing, reading] = [true, false].map((is) => people.filter((person) => Boolean(person.editing) === is));
  const say = (some: readonly Person[], what: string) =>
    some.length === 0
      ? []
      : [`${names.format(some.map(({ name }) => name))} ${some.length === 1 ? 'is' : 'are'} ${what}`];
  return [
    ...say(editing!, `editing this ${one}`),
    ...say(reading!, editing!.length > 0 ? 'here too' : `at this ${one}`),
  ].join('. ');
}
