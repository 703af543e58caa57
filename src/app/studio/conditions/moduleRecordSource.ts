import type { Definition } from '../../../engine/definitions/definition';
import type { ChoiceSource } from '../../fields/choices/choice';
import { loadListedChoices } from '../../fields/choices/loadChoices';

/** All records of a resource that the user may list, as choices. */
export function moduleRecordSource(target: Definition): ChoiceSource {
  const resource = target.name;
  return {
    key: ['studio', resource],
    load: (text, signal) => loadListedChoices({ resource, filter: {}, text, recentIds: 'none' }, signal),
    find: (ids, signal) => loadListedChoices({ resource, filter: { id: ids } }, signal),
    target,
  };
}
