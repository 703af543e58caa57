import { memo } from 'react';
import type { Actor } from '../../../engine/access/actor';
import { Icon } from '../../icons/Icon';
import type { Role } from './api';
import type { ModuleChanges } from './changes';
import { ActionButtons } from './ActionButtons';
import { studioModule, type MatrixModule } from './modules';
import * as styles from './matrix.module.css';

interface MatrixRowProps {
  actor: Actor;
  module: MatrixModule;
  roles: readonly Role[];
  changes?: ModuleChanges;
  /** The role whose cell is chosen in this row. */
  currentRole?: number;
  mayFill: boolean;
}

/** A module with the actions of each role. */
export const MatrixRow = memo(function MatrixRow({
  actor,
  module,
  roles,
  changes,
  currentRole,
  mayFill,
}: MatrixRowProps) {
  return (
    <tr data-module={module.name}>
      <th scope="row">
        <span className={styles.matrixModule}>
          <Icon name={module.icon} />
          <span>{module.label}</span>
          {mayFill && module !== studioModule && (
            <button
              type="button"
              className={styles.matrixFill}
              data-stop
              data-fill
              tabIndex={-1}
              aria-haspopup="menu"
              aria-label={`Set all of ${module.label}`}
            >
              <Icon name="more" />
            </button>
          )}
        </span>
      </th>
      {roles.map((role) => (
        <td key={role.role_id} data-chosen={currentRole === role.role_id || undefined}>
          <ActionButtons {...{ actor, role, module, changes }} />
        </td>
      ))}
    </tr>
  );
});
