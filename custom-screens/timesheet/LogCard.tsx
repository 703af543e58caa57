import Box from '@mui/material/Box';
import type { Definition } from '../../src/engine/definitions/definition';
import { parseHours, describeMinutes } from '../../src/engine/field-types/duration';
import type { TimeLog } from './timesheetApi';
import { OverlapMark } from './OverlapMark';
import * as styles from './calendar.module.css';

interface LogCardProps {
  definition: Definition;
  log: TimeLog;
  /** Its time as the calendar formats it, also while it is dragged. */
  time: string;
  /** Whether to show whose log it is. */
  showsPerson: boolean;
}

/** A log in the grid of a day. */
export function LogCard({ definition, log, time, showsPerson }: LogCardProps) {
  return (
    <div className={styles.timesheetCard} title={log.warning ?? undefined}>
      <b>{log.task?.name}</b>
      {log.warning && <OverlapMark definition={definition} />}
      {showsPerson && <span>{log.user?.name}</span>}
      <span className="num">
        {time}{' '}
        <Box component="i" sx={{ color: 'var(--t3)', fontStyle: 'normal' }}>
          {describeMinutes(parseHours(log.total_duration))}
        </Box>
      </span>
      {log.comments && <small>{log.comments}</small>}
    </div>
  );
}
