import { Suspense } from 'react';
import type { InputProps } from '../part';
import { lazyPart } from '../../states/lazyPart';

const PermissionTree = lazyPart(() => import('./PermissionTree').then((room) => ({ default: room.PermissionTree })));

/** The grants of a role as a tree. It comes when it is needed. */
export function Input(props: InputProps) {
  return (
    <Suspense fallback={<div className="grant-tree grant-tree-waiting" />}>
      <PermissionTree {...props} />
    </Suspense>
  );
}
