import Button from '@mui/material/Button';
import { chartsFor } from '../../../engine/lists/charts';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { useResourceList } from '../ResourceList';
import * as toolbarStyles from '../toolbar.module.css';

/** Shows the list's charts above it, or hides them; nothing if the user may see none. */
export default function ChartsButton() {
  const { definition, charts } = useResourceList();
  const isShown = charts?.isShown ?? false;
  const toggle = () => charts?.show(!isShown);
  const { actor } = useDefinitions();
  const hasCharts = chartsFor(definition, actor).length > 0;
  useCommands(
    () => [
      {
        id: 'charts',
        label: isShown ? 'Hide charts' : 'Show charts',
        icon: 'bar-chart',
        run: toggle,
      },
    ],
    hasCharts,
  );
  if (!hasCharts) return null;
  return (
    <Button
      variant="outlined"
      title="Charts"
      startIcon={<Icon name="bar-chart" />}
      aria-pressed={isShown}
      className={toolbarStyles.chartsButton}
      data-on={isShown || undefined}
      onClick={toggle}
    >
      <span className={toolbarStyles.listLabel}>Charts</span>
    </Button>
  );
}
