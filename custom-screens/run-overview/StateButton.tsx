import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import type { RowAction } from '../../src/engine/definitions/definition';
import { formatNumber } from '../../src/engine/formats/numbers';
import { rowActions } from '../../src/engine/lists/row-actions';
import { useActions } from '../../src/app/actions/useActions';
import { Ring, type RingProgress } from '../../src/app/chips/Ring';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { Icon } from '../../src/app/icons/Icon';
import type { IconName } from '../../src/app/icons/icons';
import { runStateLabels, type RunState } from '../results/runStates';
import type { OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

const rings: Readonly<Record<RunState, RingProgress>> = {
  planned: 0,
  open: 0.5,
  paused: 0.25,
  review: 0.75,
  closed: 1,
};

const stateIcons: Readonly<Record<string, IconName>> = {
  open: 'play',
  paused: 'pause',
  review: 'eye',
  closed: 'check',
};

interface StateButtonProps {
  run: OverviewRun;
  /** How many of its tests were not run. */
  notRun: number;
}

/** The state of a run, and a menu with what leads on from it, each with its effect, and with the copies of the run. */
export function StateButton({ run, notRun }: StateButtonProps) {
  const { registry, actor } = useDefinitions();
  const definition = registry.getOrThrow('test-runs');
  const evaluationContext = useEvaluationContext(definition);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { run: runAction, dialogs } = useActions(definition, undefined);
  const record = { ...run };
  const actions = rowActions(definition, record, actor, evaluationContext);
  const changes = actions.filter(({ request, name }) => request !== undefined && name.startsWith('state_'));
  const copies = actions.filter(({ calls }) => calls?.path.endsWith('/copy'));
  const effects: Readonly<Record<string, string>> = {
    open: 'takes results',
    paused: 'takes no results',
    review: notRun > 0 ? `${formatNumber(notRun)} not run` : 'all run',
    closed: 'keeps results',
  };
  const close = () => setAnchor(null);
  const choose = (action: RowAction) => {
    close();
    runAction(action, record);
  };
  const words = (
    <>
      <Ring progress={rings[run.state]} tone={run.state === 'open' ? 'info' : undefined} />
      <span className={styles.stateName}>{runStateLabels[run.state]}</span>
    </>
  );
  if (changes.length + copies.length === 0) return <span className={styles.runState}>{words}</span>;
  return (
    <>
      <Button
        variant="outlined"
        size="large"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={`State: ${runStateLabels[run.state]}`}
        title={runStateLabels[run.state]}
        endIcon={<Icon name="chevron-down" />}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ flex: 'none', gap: 1.5, px: 2.5 }}
      >
        {words}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close} slotProps={{ paper: { sx: { width: 240 } } }}>
        <ListSubheader role="presentation" disableGutters sx={{ px: '12px', background: 'none' }}>
          State
        </ListSubheader>
        <MenuItem selected onClick={close}>
          {words}
          <span className={styles.effect}>
            <Icon name="check" label="Chosen" />
          </span>
        </MenuItem>
        {changes.map((action) => {
          const state = action.name.replace('state_', '');
          return (
            <MenuItem key={action.name} onClick={() => choose(action)}>
              <Icon name={stateIcons[state] ?? action.icon} />
              {action.label}
              <small className={styles.effect}>{effects[state]}</small>
            </MenuItem>
          );
        })}
        {copies.length > 0 && <Divider component="li" aria-hidden="true" />}
        {copies.map((action) => (
          <MenuItem key={action.name} onClick={() => choose(action)}>
            <Icon name={action.icon} />
            {action.label}
          </MenuItem>
        ))}
      </Menu>
      {dialogs}
    </>
  );
}
