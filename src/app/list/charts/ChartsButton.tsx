import Button from '@mui/material/Button';
import type { Definition } from '../../../engine/definitions/definition';
import { chartsFor } from '../../../engine/lists/charts';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import * as listStyles from '../list.module.css';

interface ChartsButtonProps {
  definition: Definition;
  charts?: boolean;
  onCharts: (shown: boolean) => void;
}

/** Shows the list's charts above it, or hides them; nothing if the user may see none. */
export default function ChartsButton({ definition, charts = false, onCharts }: ChartsButtonProps) {
  const { actor } = useDefinitions();
  const some = chartsFor(definition, actor).length > 0;
  useCommands(
    () => [
      {
        id: 'charts',
        label: charts ? 'Hide charts' : 'Show charts',
        icon: 'bar-chart',
        run: () => onCharts(!charts),
      },
    ],
    some,
  );
  if (!some) return null;
  return (
    <Button
      variant="outlined"
      title="Charts"
      startIcon={<Icon name="bar-chart" />}
      aria-pressed={charts}
      className={listStyles.chartsButton}
      data-on={charts || undefined}
      onClick={() => onCharts(!charts)}
    >
      <span className={listStyles.listLabel}>Charts</span>
    </Button>
  );
}
