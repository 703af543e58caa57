import InputBase from '@mui/material/InputBase';
import { RichTreeView } from '@mui/x-tree-view/RichTreeView';
import { useQuery, skipToken } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isGranted } from '../../../engine/access/access-decision';
import { actions } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { FailedState } from '../../states/FailedState';
import type { InputProps } from '../fieldType';
import { fetchModules, groupModules, lastGroup, parseGrant } from './modulePermissions';
import { beyondLimit, notHeld, PermissionLine, TreeContext } from './PermissionLine';
import { applyTicks, grantsIn, tickedItems, treeItems, type TreeItem } from './treeItems';
import * as styles from './permissions.module.css';
import { useDataProvider } from 'react-admin';
import { isPermissions } from '../../../engine/field-types/permissions';

const columnHeadings = { list: 'List', view: 'View', create: 'Create', edit: 'Edit', delete: 'Delete' };

/**
 * Groups, modules and actions to tick. The user can neither give nor remove grants that they don't have, nor give those
 * beyond the limit of the field.
 */
export function PermissionTree(props: InputProps) {
  const { id, value, storedValue, onChange, readOnly, describedBy } = props;
  const { registry, actor } = useDefinitions();
  const { data, error, refetch } = useQuery({
    queryKey: ['module-permissions'],
    queryFn: fetchModules,
    meta: { quiet: true },
  });
  const [search, setSearch] = useState('');
  const [closedGroups, setClosedGroups] = useState<readonly string[]>([`group:${lastGroup}`]);
  const groups = useMemo(() => groupModules(data ?? [], registry), [data, registry]);
  const items = useMemo(() => treeItems(groups, search), [groups, search]);
  const allGrants = useMemo(() => treeItems(groups, '').flatMap(grantsIn), [groups]);
  const givenGrants = useMemo(() => new Set(Array.isArray(value) ? (value as string[]) : []), [value]);
  const storedGrants = useMemo(
    () => new Set(Array.isArray(storedValue) ? (storedValue as string[]) : []),
    [storedValue],
  );
  const byId = useMemo(() => indexById(items), [items]);
  const limit = useLimit(props.limit);
  const hasGrant = (grant: string) => isGranted(actor, parseGrant(grant).module, parseGrant(grant).action);
  const isWithin = (grant: string) => limit === undefined || limit.has(grant);
  const mayGive = (grant: string) => hasGrant(grant) && isWithin(grant);
  // A grant beyond the limit, given under another role for instance, can be taken away.
  const lockOf = (grant: string) => {
    if (!hasGrant(grant)) return notHeld;
    return isWithin(grant) || givenGrants.has(grant) ? undefined : beyondLimit;
  };

  if (error)
    return (
      <FailedState title="Permissions could not be loaded" message={error.message} onRetry={() => void refetch()} />
    );
  if (!data) return <div className={`${styles.grantTree} ${styles.grantTreeWaiting}`} />;
  const ticked = tickedItems(items, givenGrants, mayGive);
  const change = (now: readonly string[]) => {
    const lines = (ids: readonly string[]) => ids.flatMap((itemId) => byId.get(itemId) ?? []);
    const addedItems = lines(now.filter((itemId) => !ticked.includes(itemId)));
    const removedItems = lines(ticked.filter((itemId) => !now.includes(itemId)));
    onChange([...applyTicks(givenGrants, addedItems, removedItems, mayGive, hasGrant)]);
  };
  return (
    <div className={styles.grantTree} data-readonly={readOnly || undefined}>
      <header>
        <span className="num" role="status">
          {allGrants.filter((grant) => givenGrants.has(grant)).length} of {allGrants.length} grants
        </span>
        <label className={styles.grantTreeSearch}>
          <Icon name="search" />
          <InputBase
            placeholder="Find a module"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            slotProps={{ input: { 'aria-label': 'Find a module' } }}
          />
        </label>
      </header>
      <div className={styles.grantTreeHeads} aria-hidden="true">
        <span>Module</span>
        {actions.map((action) => (
          <span key={action}>
            <abbr title={columnHeadings[action]}>{columnHeadings[action][0]}</abbr>
            <span>{columnHeadings[action]}</span>
          </span>
        ))}
      </div>
      <TreeContext value={{ byId, givenGrants, storedGrants, lockOf, readOnly: readOnly ?? false }}>
        <RichTreeView
          id={id}
          aria-labelledby={`${id}-label`}
          aria-describedby={describedBy}
          items={items}
          multiSelect
          checkboxSelection
          isItemDisabled={({ kind, id: grant }) => kind === 'action' && !readOnly && lockOf(grant) !== undefined}
          disabledItemsFocusable
          expandedItems={[...byId.values()]
            .map((item) => item.id)
            .filter((itemId) => search !== '' || !closedGroups.includes(itemId))}
          onExpandedItemsChange={(_, open) =>
            setClosedGroups(
              [...byId.values()]
                .filter(({ kind, id: itemId }) => kind === 'group' && !open.includes(itemId))
                .map((item) => item.id),
            )
          }
          expansionTrigger="iconContainer"
          selectedItems={ticked}
          // Selection stays on in read-only mode: otherwise assistive technology does not announce what is ticked.
          onSelectedItemsChange={(_, now) => !readOnly && change(now)}
          slots={{ item: PermissionLine }}
        />
      </TreeContext>
      {items.length === 0 && <p className={styles.grantTreeNone}>Nothing matches “{search.trim()}”</p>}
    </div>
  );
}

function indexById(items: readonly TreeItem[]): ReadonlyMap<string, TreeItem> {
  const itemsById = new Map<string, TreeItem>();
  const add = (item: TreeItem) => {
    itemsById.set(item.id, item);
    if (item.kind !== 'action') item.children.forEach(add);
  };
  items.forEach(add);
  return itemsById;
}

/**
 * The permissions of the record that limits a field; undefined if there is no limit, or the user cannot read it: then
 * the server refuses what is beyond it when the form is saved.
 */
function useLimit(limit: InputProps['limit']): ReadonlySet<string> | undefined {
  const { registry } = useDefinitions();
  const dataProvider = useDataProvider();
  const { data } = useQuery({
    queryKey: ['permissions-of', limit?.resource, limit?.id],
    queryFn: limit ? () => dataProvider.getOne(limit.resource, { id: limit.id }) : skipToken,
    retry: false,
    meta: { quiet: true },
  });
  const permissionsField = limit && Object.values(registry.get(limit.resource)?.fields ?? {}).find(isPermissions);
  const limitGrants: unknown = permissionsField && data?.data[permissionsField.name];
  return Array.isArray(limitGrants) ? new Set(limitGrants as string[]) : undefined;
}
