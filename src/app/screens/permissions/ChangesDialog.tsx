import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { actions } from '../../../engine/definitions/definition';
import { InitialFocusButton } from '../../dialogs/InitialFocusButton';
import { Icon } from '../../icons/Icon';
import type { Role, MatrixModule } from './api';
import { isGrantSaved, type PermissionChange } from './changes';
import { ActionPicture } from './ActionButtons';
import * as styles from './permissions.module.css';

interface ChangesDialogProps {
  title: string;
  pendingChanges: readonly PermissionChange[];
  roles: readonly Role[];
  modules: readonly MatrixModule[];
  onClose: () => void;
}

/** The saved and the changed permissions side by side, by role and module. */
export function ChangesDialog({ title, pendingChanges, roles, modules, onClose }: ChangesDialogProps) {
  const id = useId();
  const affectedRoles = roles.filter((role) => pendingChanges.some((change) => change.role === role));
  return (
    <Dialog open aria-labelledby={id} onClose={onClose} slotProps={{ paper: { sx: { width: 560 } } }}>
      <DialogTitle id={id} component="h2">
        {title}
      </DialogTitle>
      <DialogContent>
        {affectedRoles.map((role) => (
          <table key={role.role_id} className={styles.permissionsDifference}>
            <caption>
              {role.role_name}
              <small>
                Level {role.level}, {role.users === 1 ? '1 user' : `${role.users} users`}
              </small>
            </caption>
            <thead className="unseen">
              <tr>
                <th scope="col">Module</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {modules
                .filter(({ name }) => pendingChanges.some((change) => change.role === role && change.module === name))
                .map((module) => (
                  <ModuleChangesRow key={module.name} {...{ role, module }} pendingChanges={pendingChanges} />
                ))}
            </tbody>
          </table>
        ))}
      </DialogContent>
      <DialogActions>
        <InitialFocusButton variant="outlined" size="large" onClick={onClose}>
          Close
        </InitialFocusButton>
      </DialogActions>
    </Dialog>
  );
}

function ModuleChangesRow({
  role,
  module,
  pendingChanges,
}: {
  role: Role;
  module: MatrixModule;
  pendingChanges: readonly PermissionChange[];
}) {
  const ownChanges = pendingChanges.filter((change) => change.role === role && change.module === module.name);
  const savedActions = new Set(actions.filter((action) => isGrantSaved(role, module.name, action)));
  const newActions = new Set(savedActions);
  for (const { action, grants } of ownChanges) {
    if (grants) newActions.add(action);
    else newActions.delete(action);
  }
  return (
    <tr>
      <th scope="row">
        <span>
          <Icon name={module.icon} />
          {module.label}
        </span>
      </th>
      <td>
        <ActionPicture {...{ role, module }} grantedActions={savedActions} />
      </td>
      <td>
        <ActionPicture
          {...{ role, module }}
          grantedActions={newActions}
          highlightedActions={new Set(ownChanges.map(({ action }) => action))}
        />
      </td>
    </tr>
  );
}
