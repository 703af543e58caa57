import Button from '@mui/material/Button';
import { groupingOf } from '../../../engine/lists/grouping';
import { fieldOf } from '../../../engine/definitions/accessors';
import { useDefinitions } from '../../data/DefinitionsContext';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import { ColumnsPopover } from '../ColumnsPopover';
import { useResourceList } from '../ResourceList';
import * as styles from '../toolbar.module.css';

/** The grouping of the list, if its definition or its user groups it; opens the choice of grouping and totals. */
export function GroupButton() {
  const { definition, state } = useResourceList();
  const popover = usePopup('dialog');
  const grouping = groupingOf(state, definition, useDefinitions().actor);
  if (!grouping && !definition.list.group) return null;
  const label = grouping ? `Group: ${fieldOf(definition, grouping.field).label}` : 'Group';
  return (
    <>
      <Button variant="outlined" title="Group" startIcon={<Icon name="layers" />} {...popover.button}>
        <span className={styles.listLabel}>{label}</span>
      </Button>
      <ColumnsPopover grouping anchor={popover.anchor} onClose={popover.close} />
    </>
  );
}
