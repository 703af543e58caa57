import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { AddRole } from './AddRole';
import { Icon } from '../../icons/Icon';
import { actions } from '../../../engine/definitions/definition';
import { stateLabels, type CellState } from './cells';
import * as matrixStyles from './matrix.module.css';
import * as styles from './permissions.module.css';

interface PermissionsToolsProps {
  text: string;
  onText: (text: string) => void;
  panel: 'rules' | 'why' | undefined;
  onPanel: (panel: 'rules' | 'why') => void;
}

const states = Object.keys(stateLabels) as CellState[];

/** The toolbar: search, the legend, and the buttons of the panels. */
export function PermissionsTools({ text, onText, panel, onPanel }: PermissionsToolsProps) {
  return (
    <div className={styles.permissionsTools} role="toolbar" aria-label="Permissions tools">
      <OutlinedInput
        size="small"
        className={styles.permissionsFind}
        placeholder="Find a module"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onText('')}
        slotProps={{ input: { 'aria-label': 'Find a module', role: 'searchbox', maxLength: 100 } }}
        startAdornment={
          <InputAdornment position="start">
            <Icon name="search" />
          </InputAdornment>
        }
      />
      <div className={styles.permissionsLegend}>
        <span>
          {actions.map((action, index) => (
            <span key={action}>
              {index > 0 && ', '}
              <b>{action.charAt(0).toUpperCase()}</b>
              {action.slice(1)}
            </span>
          ))}
        </span>
        <hr />
        {states.map((state) => (
          <span key={state} className={styles.permissionsSign}>
            <i className={matrixStyles.glyph} data-state={state} aria-hidden="true">
              L
            </i>
            {stateLabels[state]}
          </span>
        ))}
      </div>
      <span className={styles.permissionsGrow} />
      <AddRole />
      <Button
        variant="outlined"
        startIcon={<Icon name="shield" />}
        aria-pressed={panel === 'rules'}
        className={styles.permissionsSwitch}
        onClick={() => onPanel('rules')}
      >
        Rules
      </Button>
      <Button
        variant="outlined"
        startIcon={<Icon name="info" />}
        aria-pressed={panel === 'why'}
        className={styles.permissionsSwitch}
        onClick={() => onPanel('why')}
      >
        Why?
      </Button>
    </div>
  );
}
