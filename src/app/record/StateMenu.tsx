import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { Definition, Field, ResourceRecord, RowAction } from '../../engine/definitions/definition';
import { useRunAction } from '../actions/useActions';
import { ToneChip } from '../chips/RecordChip';
import { embedsOf, recordTitleOf } from '../chips/titleOf';
import { useDefinitions } from '../data/DefinitionsContext';
import { usePopup } from '../dialogs/usePopup';
import { PageValue } from '../fields/pages';
import { Icon } from '../icons/Icon';

interface StateMenuProps {
  definition: Definition;
  record: ResourceRecord;
  /** The field with the state. */
  field: Field;
  /** The actions that lead on from it. */
  changes: readonly RowAction[];
}

/** The state of a record as a button, and a menu with the changes that lead on from it, each with the state that it leads to. */
export function StateMenu({ definition, record, field, changes }: StateMenuProps) {
  const { registry } = useDefinitions();
  const run = useRunAction();
  const menu = usePopup('menu');
  const optionOf = (value: unknown) => field.options?.find((option) => option.value === value);
  const value = record[field.name];
  const [embed] = embedsOf(field, record);
  const words = optionOf(value)?.label ?? (embed ? recordTitleOf(registry.get(field.to), embed) : 'None');
  return (
    <>
      <Button
        variant="outlined"
        aria-label={`${field.label}: ${words}`}
        title={field.label}
        endIcon={<Icon name="chevron-down" />}
        sx={{ flex: 'none' }}
        {...menu.button}
      >
        <PageValue {...{ field, record, definition, registry, value }} />
      </Button>
      <Menu {...menu.popup} slotProps={{ list: { 'aria-label': field.label }, paper: { sx: { minWidth: 220 } } }}>
        {changes.map((action) => {
          const target = optionOf(definition.requests[action.request ?? '']?.constants[field.name]);
          return (
            <MenuItem
              key={action.name}
              sx={{ justifyContent: 'space-between', gap: 4 }}
              onClick={menu.and(() => run(action, record))}
            >
              {action.label}
              {target && (
                <span aria-hidden="true">
                  <ToneChip tone={target.tone}>{target.label}</ToneChip>
                </span>
              )}
            </MenuItem>
          );
        })}
      </Menu>
    </>
  );
}
