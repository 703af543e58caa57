import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
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

/** The other users at the open record, and those who are changing it. */
export function OthersHere(props: OthersHereProps) {
  const { actor } = useDefinitions();
  // A preview shows no record of anybody; whoever views as somebody else is nowhere.
  const isPreview = useApi() !== requestApi;
  return isPreview || actor.viewer ? null : <Others {...props} />;
}

function Others({ definition, record, editing = false }: OthersHereProps) {
  const otherUsers = usePresence(definition.name, Number(record.id), { editing });
  const people = otherUsers
    .map(({ user, editing: isEditing }): Person => ({ ...user, editing: isEditing }))
    .sort((first, second) => Number(second.editing) - Number(first.editing));
  const words = wordsFor(people, definition.labels.one.toLowerCase());
  return (
    <span className={styles.othersHere}>
      {people.length > 0 && <PresentPeople {...{ people }} label={words} maxFaces={3} />}
      {/* Always there, so that it is read out when somebody comes. */}
      <span className={styles.othersWords} role="status">
        {words}
      </span>
    </span>
  );
}

const names = new Intl.ListFormat('en');

/** `Mateo Vidal is editing this task. Dina Haddad is here too.` */
function wordsFor(people: readonly Person[], recordName: string): string {
  const editors = people.filter(({ editing }) => editing);
  const readers = people.filter(({ editing }) => !editing);
  const say = (group: readonly Person[], activity: string) =>
    group.length === 0
      ? []
      : [`${names.format(group.map(({ name }) => name))} ${group.length === 1 ? 'is' : 'are'} ${activity}`];
  return [
    ...say(editors, `editing this ${recordName}`),
    ...say(readers, editors.length > 0 ? 'here too' : `at this ${recordName}`),
  ].join('. ');
}
