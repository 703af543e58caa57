import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import { Link } from 'react-router-dom';
import { Icon } from '../../src/app/icons/Icon';
import { relativeTime } from '../../src/app/layout/relativeTime';
import * as statesStyles from '../../src/app/states/states.module.css';
import { ResultGlyph } from '../results/ResultNumbers';
import type { CoverageColumn, CoveredRequirement } from '../../src/product/answers/coverage';
import { useCell, type CoverageChoice } from './coverageApi';
import { RetestButton } from './RetestButton';
import * as styles from './coverage.module.css';

interface CellPopoverProps {
  anchor: HTMLElement;
  requirement: CoveredRequirement;
  /** Undefined: the latest results of all. */
  column: CoverageColumn | undefined;
  choice: CoverageChoice;
  onClose: () => void;
}

/** The test cases behind a cell, the worst result first. */
export function CellPopover({ anchor, requirement, column, choice, onClose }: CellPopoverProps) {
  const { data: tests, error } = useCell(requirement.id, column, choice);
  const passedCount = tests?.filter(({ result }) => result === 'passed').length;
  const key = requirement.key ?? requirement.name;
  const title = column ? `${key} in ${column.label}` : key;
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { className: styles.popover, role: 'dialog', 'aria-label': title } }}
    >
      <header>
        <b>{title}</b>
        {tests && (
          <span>
            {passedCount} of {tests.length} passed
          </span>
        )}
        <IconButton size="small" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </IconButton>
      </header>
      {error && <p role="alert">{error.message}</p>}
      {!tests && !error && (
        <Box
          className={statesStyles.skeleton}
          component="span"
          sx={{ height: 120, m: 3 }}
          role="status"
          aria-label="Loading…"
        />
      )}
      {tests && (
        <ul>
          {tests.map((test) => (
            <li key={test.test_case_id}>
              <ResultGlyph result={test.result} hasLabel />
              <span className={styles.key}>{test.key}</span>
              <Link to={testPath(test)}>{test.name}</Link>
              <small>{noteOf(test)}</small>
            </li>
          ))}
        </ul>
      )}
      <footer>
        {column && choice.grouping === 'run' && (
          <Button
            variant="outlined"
            startIcon={<Icon name="external" />}
            component={Link}
            to={`/test-runs/${column.id}/overview`}
          >
            Open {column.label}
          </Button>
        )}
        {tests && choice.project !== undefined && (
          <RetestButton project={choice.project} requirement={requirement} tests={tests} />
        )}
      </footer>
    </Popover>
  );
}

type Test = NonNullable<ReturnType<typeof useCell>['data']>[number];

const testPath = ({ run_id, entry_id, test_case_id }: Test): string =>
  run_id === null || entry_id === null ? `/test-cases/${test_case_id}` : `/test-runs/${run_id}/run?entry=${entry_id}`;

function noteOf({ result, defect, at: instant }: Test): string {
  if (result === 'failed' || result === 'blocked') return defect ?? 'no task';
  return instant ? relativeTime(instant) : 'never run';
}
