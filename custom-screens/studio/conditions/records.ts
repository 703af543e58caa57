import type { Definition } from '../../../src/engine/definitions/definition';
import type { ChoiceSource } from '../../../src/app/choices/choice';
import { loadOffered } from '../../../src/app/choices/loadChoices';

/** All records of a resource that the user may list, as choices. */
export function recordSource(target: Definition): ChoiceSource {
  const resource = target.name;
  return {
    key: ['studio', resource],
    load: (text, signal) => loadOffered({ resource, filter: {}, text, near: 'none' }, signal),
    find: (ids, signal) => loadOffered({ resource, filter: { id: ids } }, signal),
    target,
  };
}
