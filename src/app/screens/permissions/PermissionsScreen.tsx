import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { Action } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { UnsavedChangesGuard } from '../../form/UnsavedChangesGuard';
import { NewerVersionBar } from '../../form/NewerVersionBar';
import { joinNames } from '../../../engine/formats/join-names';
import { requireValue } from '../../../engine/values/lookups';
import { phone } from '../../theme/overrides';
import { EmptyState } from '../../states/EmptyState';
import { type Role, filterModules, type MatrixModule } from './api';
import { fixedReason } from './cells';
import { fillChanges, isGrantedWithChanges, listChanges, type PermissionChange } from './changes';
import { Matrix, type Cell } from './Matrix';
import { MatrixPanel } from './MatrixPanel';
import { PermissionsTools } from './PermissionsTools';
import { useSavePermissions, usePermissionsDraft } from './useSavePermissions';
import { usePanel } from './usePanel';
import * as styles from './permissions.module.css';
import Button from '@mui/material/Button';
import { ChangesDialog } from './ChangesDialog';
import * as chipsStyles from '../../chips/chips.module.css';
import * as formStyles from '../../form/form.module.css';

const maxNames = 3;

/** The roles that gain or lose rights by the changes: `Developer gets Projects edit; QA loses Imports list. 9 users gain rights, …` */
export function describeGains(pendingChanges: readonly PermissionChange[], modules: readonly MatrixModule[]): string {
  const roles = [...new Set(pendingChanges.map(({ role }) => role))];
  const sentences = roles.flatMap((role) => {
    const ownChanges = pendingChanges.filter((change) => change.role === role);
    return [
      ...sentence(
        role,
        'gets',
        ownChanges.filter(({ grants }) => grants),
        modules,
      ),
      ...sentence(
        role,
        'loses',
        ownChanges.filter(({ grants }) => !grants),
        modules,
      ),
    ];
  });
  return sentences.length === 0 ? '' : `${sentences.join('; ')}. ${describeUsers(pendingChanges, roles)}`;
}

function sentence(
  role: Role,
  verb: string,
  pendingChanges: readonly PermissionChange[],
  modules: readonly MatrixModule[],
): string[] {
  if (pendingChanges.length === 0) return [];
  const names = [...new Set(pendingChanges.map(({ module }) => module))].map((name) => {
    const label = modules.find((module) => module.name === name)?.label ?? name;
    const moduleActions = pendingChanges.filter(({ module }) => module === name).map(({ action }) => action);
    return `${label} ${joinNames(moduleActions)}`;
  });
  const rest = names.length - maxNames;
  return [`${role.role_name} ${verb} ${joinNames(rest > 0 ? [...names.slice(0, maxNames), `${rest} more`] : names)}`];
}

function describeUsers(pendingChanges: readonly PermissionChange[], roles: readonly Role[]): string {
  const count = (isGain: boolean) =>
    roles
      .filter((role) => pendingChanges.some((change) => change.role === role && change.grants === isGain))
      .reduce((sum, { users }) => sum + users, 0);
  const [gain, lose] = [count(true), count(false)];
  const gaining = gain === 1 ? '1 user gains rights' : `${gain === 0 ? 'No' : gain} users gain rights`;
  return `${gaining}, ${lose === 0 ? 'none lose any' : lose === 1 ? '1 loses some' : `${lose} lose some`}.`;
}

interface PermissionsScreenProps {
  roles: readonly Role[];
  modules: readonly MatrixModule[];
  reload: () => Promise<unknown>;
}

/** The matrix with its toolbar, its panel and its unsaved changes. */
export function PermissionsScreen({ roles, modules, reload }: PermissionsScreenProps) {
  const { actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [text, setText] = useState('');
  const [cell, setCell] = useState<Cell>();
  const [phoneRole, setPhoneRole] = useState(
    roles.find(({ fixed: lockReason }) => lockReason === null)?.role_id ?? roles[0]?.role_id,
  );
  const draft = usePermissionsDraft(roles);
  const panel = usePanel();
  const { saving, refusal, save } = useSavePermissions(draft, roles, reload);
  const pendingChanges = listChanges(draft.changes, roles);
  const isDirty = pendingChanges.length > 0;
  const guards = useCallback(() => isDirty, [isDirty]);
  useSaveKey(() => isDirty && save());

  const shownRoles = isPhone ? roles.filter(({ role_id }) => role_id === phoneRole) : roles;
  const visibleModules = filterModules(modules, text);
  const roleOf = (id: number | undefined) => roles.find(({ role_id }) => role_id === id);
  const moduleOf = (name: string | undefined) => modules.find((candidate) => candidate.name === name);
  const isFixed = (role: Role, module: MatrixModule, action: Action) =>
    fixedReason(actor, role, module, action) !== undefined;
  const toggle = ({ role: id, module, action }: Required<Cell>) => {
    const role = requireValue(roleOf(id), `role ${id}`);
    draft.change([
      { role, module, action, grants: !isGrantedWithChanges(role, module, action, draft.changes.get(module)) },
    ]);
  };
  return (
    <div className={styles.permissions}>
      <UnsavedChangesGuard guards={guards} />
      <PermissionsTools text={text} onText={setText} panel={panel.openPanel} onPanel={panel.toggle} />
      {isPhone && (
        <Select
          sx={{ '@media (max-width: 600px)': { flex: 'none', my: 3, mx: 4 } }}
          value={phoneRole ?? ''}
          onChange={({ target }) => setPhoneRole(Number(target.value))}
          slotProps={{ input: { 'aria-label': 'Role' } }}
        >
          {roles.map(({ role_id, role_name, level }) => (
            <MenuItem key={role_id} value={role_id}>
              {role_name}, level {level}
            </MenuItem>
          ))}
        </Select>
      )}
      {refusal && <NewerVersionBar className={styles.newerBar} text={refusal} />}
      {!refusal && draft.changedByOthers.length > 0 && (
        <NewerVersionBar
          className={styles.newerBar}
          text={`Somebody else changed ${joinNames(draft.changedByOthers)} meanwhile. The matrix shows it, with your changes on top.`}
        />
      )}
      <div className={styles.permissionsBody}>
        {visibleModules.length > 0 ? (
          <Matrix
            {...{ actor, modules: visibleModules, roles: shownRoles, changes: draft.changes }}
            currentCell={panel.question ? panel.cellOf(roles) : cell}
            onChoose={setCell}
            onToggle={toggle}
            onFill={({ role, module }, preset) =>
              draft.change(
                fillChanges(
                  preset,
                  role ? [role] : roles,
                  module ? [requireValue(moduleOf(module), `module ${module}`)] : visibleModules,
                  isFixed,
                ),
              )
            }
          />
        ) : (
          <Box sx={{ display: 'grid', flex: 1 }}>
            <EmptyState title={`Nothing matches “${text.trim()}”`} />
          </Box>
        )}
        <MatrixPanel {...{ panel, modules, cell, actor }} role={roleOf(cell?.role)} module={moduleOf(cell?.module)} />
      </div>
      {isDirty && <SaveChanges {...{ pendingChanges, roles, modules, saving }} onCancel={draft.clear} onSave={save} />}
    </div>
  );
}

function useSaveKey(save: () => void) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    save();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

interface SaveChangesProps {
  pendingChanges: readonly PermissionChange[];
  roles: readonly Role[];
  modules: readonly MatrixModule[];
  saving: boolean;
  onCancel: () => void;
  onSave: () => void;
}

/** The bar below the matrix with the unsaved changes: their number, and who gains and loses rights. */
function SaveChanges({ pendingChanges, roles, modules, saving, onCancel, onSave }: SaveChangesProps) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  const count = pendingChanges.length === 1 ? '1 change' : `${pendingChanges.length} changes`;
  const words = describeGains(pendingChanges, modules);
  return (
    <div className={styles.permissionsSave} role="group" aria-label="Unsaved changes">
      <span className={`${styles.permissionsCount} ${chipsStyles.chip}`} data-tone="medium" role="status">
        <span>{count}</span>
      </span>
      <p className={styles.permissionsGains} title={words}>
        {words}
      </p>
      <Button variant="text" onClick={() => setDialogOpen(true)}>
        Show difference
      </Button>
      <Button variant="outlined" size="large" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        variant="contained"
        size="large"
        aria-keyshortcuts="Control+S"
        aria-disabled={saving}
        className={saving ? formStyles.saveBusy : undefined}
        onClick={onSave}
      >
        Save
      </Button>
      {isDialogOpen && (
        <ChangesDialog {...{ pendingChanges, roles, modules }} title={count} onClose={() => setDialogOpen(false)} />
      )}
    </div>
  );
}
