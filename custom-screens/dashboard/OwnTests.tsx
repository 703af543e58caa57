import Box from '@mui/material/Box';
import { Tiles } from '../../src/app/charts/Tiles';
import type { DashboardFigures } from './figures';

const listOf = (tab: string) => `/run-entries?tab=${tab}`;

/** The tests that the user has to run, if there are any; each count leads to its list. */
export function OwnTests({ tests }: { tests: DashboardFigures['tests'] }) {
  if (!tests || tests.open + tests.failed === 0) return null;
  return (
    <Box component="section" sx={{ flex: 'none' }} aria-label="My tests">
      <Tiles
        label="My tests"
        tiles={[
          { key: 'open', label: 'My open tests', count: tests.open, to: listOf('mine') },
          { key: 'due', label: 'Due today or earlier', count: tests.due, tone: 'bad', to: listOf('due') },
          { key: 'failed', label: 'My failed tests', count: tests.failed, tone: 'bad', to: listOf('failed') },
        ]}
      />
    </Box>
  );
}
