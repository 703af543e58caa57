import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { actions } from '../../src/engine/definitions/definition';
import { FirstButton } from '../../src/app/dialogs/FirstButton';
import { Icon } from '../../src/app/icons/Icon';
import type { Role } from './calls';
import { isSaved, type Wish } from './draft';
import { GlyphPicture } from './Glyphs';
import type { Module } from './modules';

interface DifferenceProps {
  title: string;
  wishes: readonly Wish[];
  roles: readonly Role[];
  modules: readonly Module[];
  onClose: () => void;
}

/** The saved and the changed permissions side by side, by role and module. */
export function Difference({ title, wishes, roles, modules, onClose }: DifferenceProps) {
  const id = useId();
  const changing = roles.filter((role) => wishes.some((wish) => wish.role === role));
  return (
    <Dialog open aria-labelledby={id} onClose={onClose} slotProps={{ paper: { sx: { width: 560 } } }}>
      <DialogTitle id={id} component="h2">
        {title}
      </DialogTitle>
      <DialogContent>
        {changing.map((role) => (
          <table key={role.role_id} className="permissions-difference">
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
                .filter(({ name }) => wishes.some((wish) => wish.role === role && wish.module === name))
                .map((module) => (
                  <Line key={module.name} {...{ role, module }} wishes={wishes} />
                ))}
            </tbody>
          </table>
        ))}
      </DialogContent>
      <DialogActions>
        <FirstButton variant="outlined" size="large" onClick={onClose}>
          Close
        </FirstButton>
      </DialogActions>
    </Dialog>
  );
}

function Line({ role, module, wishes }: { role: Role; module: Module; wishes: readonly Wish[] }) {
  const own = wishes.filter((wish) => wish.role === role && wish.module === module.name);
  const before = new Set(actions.filter((action) => isSaved(role, module.name, action)));
  const after = new Set(before);
  for (const { action, granted } of own) {
    if (granted) after.add(action);
    else after.delete(action);
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
        <GlyphPicture {...{ role, module }} granted={before} />
      </td>
      <td>
        <GlyphPicture {...{ role, module }} granted={after} marked={new Set(own.map(({ action }) => action))} />
      </td>
    </tr>
  );
}
