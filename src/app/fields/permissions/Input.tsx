import { formatNumber } from '../../../engine/formats/numbers';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputProps } from '../fieldComponents';

const PermissionTree = lazyComponent(
  () => import('./PermissionTree').then((module) => ({ default: module.PermissionTree })),
  ReadOnly,
);

/** The grants of a role as a tree, loaded on demand. */
export function Input(props: InputProps) {
  return <PermissionTree {...props} />;
}

/** The number of grants, shown until the tree has loaded. */
function ReadOnly({ value }: InputProps) {
  const count = Array.isArray(value) ? value.length : 0;
  return (
    <div className="grant-tree grant-tree-waiting">{count === 1 ? '1 grant' : `${formatNumber(count)} grants`}</div>
  );
}
