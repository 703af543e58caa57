import type { Definition } from '../../engine/definitions/definition';
import { SkeletonRows } from '../states/SkeletonRows';
import { List } from './List';
import { useReturning } from './useReturning';

/** The list of a resource, as it was left. */
export function ListScreen({ definition }: { definition: Definition }) {
  const returning = useReturning(definition.name);
  return returning ? <SkeletonRows /> : <List definition={definition} />;
}
