import Button from '@mui/material/Button';
import { useState } from 'react';
import type { Role } from './api';
import { ChangesDialog } from './ChangesDialog';
import type { PermissionChange } from './changes';
import { describeGains } from './describeGains';
import type { MatrixModule } from './modules';
import * as chipsStyles from '../../chips/chips.module.css';
import * as formStyles from '../../form/form.module.css';
import * as styles from './permissions.module.css';

interface SaveChangesProps {
  pendingChanges: readonly PermissionChange[];
  roles: readonly Role[];
  modules: readonly MatrixModule[];
  saving: boolean;
  onCancel: () => void;
  onSave: () => void;
}

/** The bar below the matrix with the unsaved changes: their number, and who gains and loses rights. */
export function SaveChanges({ pendingChanges, roles, modules, saving, onCancel, onSave }: SaveChangesProps) {
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
