import type { Definition } from '../../engine/definitions/definition';
import { SkeletonRows } from '../states/SkeletonRows';
import { List } from './List';
import { useReturning } from './useReturning';

/** The list of a resource, with its remembered state restored. */
export function ListScreen({ definition }: { definition: Definition }) {
  const returning = useReturning(definition.name);
  return returning ? <SkeletonRows /> : <List definition={definition} />;
}
