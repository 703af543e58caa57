import type { Definition } from '../../engine/definitions/definition';
import { SkeletonRows } from '../states/SkeletonRows';
import { List } from './List';
import { useRestoredAddress } from './useRestoredAddress';

/** The list of a resource, with its remembered state restored. */
export function ListScreen({ definition }: { definition: Definition }) {
  const returning = useRestoredAddress(definition.name);
  return returning ? <SkeletonRows /> : <List definition={definition} />;
}
