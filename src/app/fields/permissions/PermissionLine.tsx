import { TreeItem as Line, type TreeItemProps } from '@mui/x-tree-view/TreeItem';
import { createContext, use, type Ref } from 'react';
import { Icon } from '../../icons/Icon';
import { columnIndex } from './modulePermissions';
import { grantsIn, type TreeItem } from './treeItems';
import * as styles from './permissions.module.css';
import { requireValue } from '../../../engine/values/lookups';

const kinds = { group: styles.grantTreeGroup, module: styles.grantTreeModule, action: styles.grantTreeAction };

interface TreeContextValue {
  byId: ReadonlyMap<string, TreeItem>;
  givenGrants: ReadonlySet<string>;
  /** As stored. */
  storedGrants: ReadonlySet<string>;
  /** Why the user can neither give nor take a grant; undefined if they can. */
  lockOf: (grant: string) => string | undefined;
  readOnly: boolean;
}

export const TreeContext = createContext<TreeContextValue | null>(null);

/** A row of the tree. A module's actions are rows below it, drawn as columns beside it. */
export function PermissionLine({ ref, ...props }: TreeItemProps & { ref?: Ref<HTMLLIElement> }) {
  const state = requireValue(use(TreeContext), 'the tree around a line');
  const { byId, givenGrants, storedGrants } = state;
  const item = byId.get(props.itemId);
  if (!item) return null;
  const grants = grantsIn(item);
  const count = grants.filter((grant) => givenGrants.has(grant)).length;
  const isLeaf = item.kind === 'action';
  return (
    <Line
      {...props}
      ref={ref}
      className={kinds[item.kind]}
      data-changed={(isLeaf && givenGrants.has(item.id) !== storedGrants.has(item.id)) || undefined}
      style={isLeaf ? { gridColumn: columnIndex(item.action) + 1 } : undefined}
      label={
        isLeaf ? (
          <span className="unseen">{item.label}</span>
        ) : (
          <>
            {item.label}
            {item.kind === 'group' && (
              <span className={`${styles.grantTreeCount} num`}>
                {count} of {grants.length}
              </span>
            )}
          </>
        )
      }
      slots={checkboxSlots(item, state)}
    />
  );
}

/** Replaces the tree's own checkbox, if needed. */
function checkboxSlots(
  { id, kind }: TreeItem,
  { givenGrants, lockOf, readOnly }: TreeContextValue,
): TreeItemProps['slots'] {
  const isLeaf = kind === 'action';
  if (readOnly) return { checkbox: !isLeaf ? Nothing : givenGrants.has(id) ? GrantedMark : NotGrantedMark };
  const lock = isLeaf ? lockOf(id) : undefined;
  return lock === undefined ? {} : { checkbox: lock === notHeld ? NotHeldMark : BeyondMark };
}

const Nothing = () => null;

/** Replaces a checkbox in read-only mode: granted. */
function GrantedMark() {
  return (
    <span className={styles.grantTreeGiven}>
      <Icon name="check" />
    </span>
  );
}

/** Replaces a checkbox in read-only mode: not granted. */
function NotGrantedMark() {
  return (
    <span className={styles.grantTreeNotGiven} aria-hidden="true">
      –
    </span>
  );
}

/** Why a grant is locked: the user lacks it, or what the grants are limited to does. */
export const notHeld = "You don't have this grant yourself";
export const beyondLimit = 'Beyond what these permissions are limited to';

/** Replaces a checkbox that the user cannot tick. */
function NotHeldMark() {
  return <LockedMark reason={notHeld} />;
}

/** Replaces a checkbox of a grant that the limiting record, such as the role, does not have. */
function BeyondMark() {
  return <LockedMark reason={beyondLimit} />;
}

function LockedMark({ reason }: { reason: string }) {
  return (
    <span className={styles.grantTreeDenied} title={reason}>
      <Icon name="lock" size={10} />
    </span>
  );
}
