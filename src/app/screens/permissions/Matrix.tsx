import { useRef, useState, type FocusEvent, type MouseEvent, memo } from 'react';
import { Link } from 'react-router-dom';
import type { Actor } from '../../../engine/access/actor';
import type { Action } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import { AnchoredTooltip } from '../../layout/AnchoredTooltip';
import { type Role, type MatrixModule, studioModule } from './api';
import { type Changes, type Filling, fillings, type ModuleChanges } from './changes';
import { useGridKeys } from './useGridKeys';
import * as styles from './matrix.module.css';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { ActionButtons } from './ActionButtons';

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
const MatrixRow = memo(function MatrixRow({ actor, module, roles, changes, currentRole, mayFill }: MatrixRowProps) {
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

/** A cell: a role, a module, and the action that was focused last. */
export interface Cell {
  readonly role: number;
  readonly module: string;
  readonly action?: Action;
}

interface MatrixProps {
  actor: Actor;
  roles: readonly Role[];
  modules: readonly MatrixModule[];
  changes: Changes;
  currentCell?: Cell;
  onChoose: (cell: Cell) => void;
  onToggle: (cell: Required<Cell>) => void;
  onFill: (target: FillTarget, filling: Filling) => void;
}

/** Roles by modules by actions. The table listens for all buttons, as there are thousands of them. */
export function Matrix({ actor, roles, modules, changes, currentCell, onChoose, onToggle, onFill }: MatrixProps) {
  const table = useRef<HTMLTableElement>(null);
  const keys = useGridKeys(table);
  const [tip, setTip] = useState<HTMLElement | null>(null);
  const [fillTarget, setFillTarget] = useState<FillTarget | null>(null);
  const mayFill = roles.some(({ fixed: lockReason }) => lockReason === null);

  const onFocus = (event: FocusEvent) => {
    keys.onFocus(event);
    const cell = cellOf(event.target);
    if (cell) onChoose(cell);
    setTip(tipOf(event.target));
  };
  const onClick = ({ target }: MouseEvent) => {
    const button = (target as Element).closest<HTMLElement>('button');
    if (!button) return;
    const cell = cellOf(button);
    if (cell?.action && !button.ariaDisabled) onToggle(cell as Required<Cell>);
    if (!button.hasAttribute('data-fill')) return;
    const role = roles.find(({ role_id }) => String(role_id) === button.dataset.role);
    setFillTarget({ anchor: button, role, module: role ? undefined : moduleOf(button) });
  };
  return (
    <div className={styles.matrixBox} onScroll={() => setTip(null)}>
      <table
        ref={table}
        className={styles.matrix}
        role="grid"
        aria-label="Permissions"
        style={{ '--roles': roles.length } as React.CSSProperties}
        onFocus={onFocus}
        onBlur={() => setTip(null)}
        onKeyDown={keys.onKeyDown}
        onClick={onClick}
        onMouseOver={({ target }) => setTip(tipOf(target))}
        onMouseLeave={() => setTip(null)}
      >
        <thead>
          <tr>
            <th scope="col">Module</th>
            {roles.map((role) => (
              <th key={role.role_id} scope="col">
                <span className={styles.matrixRole}>
                  <Link to={`/roles/${role.role_id}`} data-stop tabIndex={-1} title={role.role_name}>
                    {role.role_name}
                  </Link>
                  <small>Level {role.level}</small>
                  <button
                    type="button"
                    className={styles.matrixFill}
                    data-stop
                    data-fill
                    data-role={role.role_id}
                    tabIndex={-1}
                    aria-haspopup="menu"
                    aria-label={`Set all of ${role.role_name}`}
                  >
                    <Icon name="chevron-down" size={14} />
                  </button>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {modules.map((module) => (
            <MatrixRow
              key={module.name}
              {...{ actor, module, roles, mayFill }}
              changes={changes.get(module.name)}
              currentRole={currentCell?.module === module.name ? currentCell.role : undefined}
            />
          ))}
        </tbody>
      </table>
      <AnchoredTooltip target={tip} text={tip?.dataset.tip ?? ''} placement="top" maxWidth={260}>
        <span className={styles.matrixTip} />
      </AnchoredTooltip>
      <FillMenu target={fillTarget} onFill={onFill} onClose={() => setFillTarget(null)} />
    </div>
  );
}

const moduleOf = (element: Element) => element.closest('tr')?.dataset.module;

function cellOf(element: Element): Cell | undefined {
  const { role, action } = (element as HTMLElement).dataset;
  const module = moduleOf(element);
  return role && action && module ? { role: Number(role), module, action: action as Action } : undefined;
}

function tipOf(target: EventTarget): HTMLElement | null {
  return (target as Element).closest<HTMLElement>('[data-tip]');
}

/** The row or the column whose menu is open. */
interface FillTarget {
  readonly anchor: HTMLElement;
  /** A row: its module; a column: its role. */
  readonly module?: string;
  readonly role?: Role;
}

interface FillMenuProps {
  target: FillTarget | null;
  onFill: (target: FillTarget, filling: Filling) => void;
  onClose: () => void;
}

/** A menu that sets a whole row or column at once, and opens the role's form. */
function FillMenu({ target, onFill, onClose }: FillMenuProps) {
  const role = target?.role;
  const mayFill = target !== null && (role === undefined || role.fixed === null);
  return (
    <Menu open={target !== null} anchorEl={target?.anchor ?? null} onClose={onClose}>
      {mayFill &&
        fillings.map((preset) => (
          <MenuItem
            key={preset}
            onClick={() => {
              onClose();
              onFill(target, preset);
            }}
          >
            {preset}
          </MenuItem>
        ))}
      {mayFill && role && <Divider component="li" aria-hidden="true" />}
      {role && (
        <MenuItem component={Link} to={`/roles/${role.role_id}`}>
          Open role
        </MenuItem>
      )}
    </Menu>
  );
}
