import { Level } from '../../../engine/definitions/level';
import { joinNames } from '../../../engine/formats/join-names';
import { actions, type Action } from '../../../engine/definitions/definition';
import type { Role, MatrixModule } from './api';
import { fixedReason, describeRules, cellState, stateLabels } from './cells';
import { isChanged, isGrantedWithChanges, type ModuleChanges } from './changes';
import type { Actor } from '../../../engine/access/actor';
import * as styles from './matrix.module.css';

/** The abbreviation of an action: L, V, C, E or D. */
const actionLetter = (action: Action) => action.charAt(0).toUpperCase();

interface ActionButtonsProps {
  actor: Actor;
  role: Role;
  module: MatrixModule;
  changes?: ModuleChanges;
}

/** The five actions of a role on a module, each a toggle button. */
export function ActionButtons({ actor, role, module, changes }: ActionButtonsProps) {
  return (
    <span className={styles.glyphs}>
      {actions.map((action) => {
        const hasGrant = role.level === Level.Installation || isGrantedWithChanges(role, module.name, action, changes);
        const state = cellState(module, role, action, hasGrant);
        const hasChange = isChanged(role, action, changes);
        const lockReason = fixedReason(actor, role, module, action);
        const tip = lockReason ?? (state === 'own' ? describeRules(module, role, action) : undefined);
        return (
          <button
            key={action}
            type="button"
            className={styles.glyph}
            tabIndex={-1}
            data-stop
            data-role={role.role_id}
            data-action={action}
            data-state={state}
            data-tip={tip}
            data-changed={hasChange || undefined}
            aria-pressed={state !== 'denied'}
            aria-disabled={lockReason !== undefined || undefined}
            aria-label={`${role.role_name}: ${action} ${module.label}, ${stateLabels[state]}${hasChange ? ', not saved' : ''}`}
          >
            {actionLetter(action)}
          </button>
        );
      })}
    </span>
  );
}

interface ActionPictureProps {
  role: Role;
  module: MatrixModule;
  grantedActions: ReadonlySet<Action>;
  /** The actions to highlight as changed. */
  highlightedActions?: ReadonlySet<Action>;
}

/** A read-only picture of the five actions, with changed ones highlighted. */
export function ActionPicture({ role, module, grantedActions, highlightedActions }: ActionPictureProps) {
  return (
    <span className={styles.glyphs} role="img" aria-label={joinNames([...grantedActions]) || 'nothing'}>
      {actions.map((action) => (
        <i
          key={action}
          className={styles.glyph}
          data-state={cellState(module, role, action, grantedActions.has(action))}
          data-changed={highlightedActions?.has(action) || undefined}
        >
          {actionLetter(action)}
        </i>
      ))}
    </span>
  );
}
