import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { Icon } from '../../icons/Icon';
import { actions } from '../../../engine/definitions/definition';
import { stateLabels, type CellState } from './cells';
import * as matrixStyles from './matrix.module.css';
import * as styles from './permissions.module.css';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useAddRecord } from '../../list/useAddRecord';
import { useMayAdd } from '../../actions/useMayAdd';

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
        sx={{ flex: '0 1 200px', minWidth: 120, '@media (max-width: 600px)': { flex: '1 0 100%' } }}
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
              <Box component="b" sx={{ fontWeight: 600 }}>
                {action.charAt(0).toUpperCase()}
              </Box>
              {action.slice(1)}
            </span>
          ))}
        </span>
        <Box
          component="hr"
          sx={{ flex: 'none', width: '1px', height: 20, m: 0, border: 0, background: 'var(--line-2)' }}
        />
        {states.map((state) => (
          <span key={state} className={styles.permissionsSign}>
            <i className={matrixStyles.glyph} data-state={state} aria-hidden="true">
              L
            </i>
            {stateLabels[state]}
          </span>
        ))}
      </div>
      <Box component="span" sx={{ flex: 1, minWidth: 0, '@media (max-width: 600px)': { display: 'none' } }} />
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

/** A button that opens the form of a new role. */
function AddRole() {
  const definition = useDefinitions().registry.getOrThrow('roles');
  const { run } = useAddRecord(definition);
  if (!useMayAdd(definition)) return null;
  return (
    <Button variant="outlined" startIcon={<Icon name="plus" />} onClick={run}>
      Add {definition.labels.one}
    </Button>
  );
}
