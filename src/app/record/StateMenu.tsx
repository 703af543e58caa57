import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { Definition, Field, ResourceRecord, RowAction } from '../../engine/definitions/definition';
import { fillTemplate } from '../../engine/definitions/labels';
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

/** At the end of its line. */
const effectStyle = { ml: 'auto', pl: 3, color: 'var(--t3)' };

/** The state of a record as a button, and a menu with the changes that lead on from it, each with what it does. */
export function StateMenu({ definition, record, field, changes }: StateMenuProps) {
  const { registry } = useDefinitions();
  const run = useRunAction();
  const menu = usePopup('menu');
  const optionOf = (value: unknown) => field.options?.find((option) => option.value === value);
  const value = record[field.name];
  const [embed] = embedsOf(field, record);
  const words = optionOf(value)?.label ?? (embed ? recordTitleOf(registry.get(field.to), embed) : 'None');
  const state = <PageValue {...{ field, record, definition, registry, value }} />;
  if (changes.length === 0) return state;
  return (
    <>
      <Button
        variant="outlined"
        aria-label={`${field.label}: ${words}`}
        title={`${field.label}: ${words}`}
        endIcon={<Icon name="chevron-down" />}
        sx={{ flex: 'none' }}
        {...menu.button}
      >
        {state}
      </Button>
      <Menu {...menu.popup} slotProps={{ list: { 'aria-label': field.label }, paper: { sx: { minWidth: 240 } } }}>
        <ListSubheader role="presentation" disableGutters sx={{ px: '12px', background: 'none' }}>
          {field.label}
        </ListSubheader>
        <MenuItem selected onClick={menu.close} sx={{ justifyContent: 'space-between', gap: 4 }}>
          {state}
          <Icon name="check" label="Chosen" />
        </MenuItem>
        {changes.map((action) => {
          const { constants = {}, effect } = definition.requests[action.request ?? ''] ?? {};
          const target = optionOf(constants[field.name]);
          return (
            <MenuItem key={action.name} onClick={menu.and(() => run(action, record))}>
              <Icon name={action.icon} />
              {action.label}
              {effect !== undefined ? (
                <Box component="small" sx={effectStyle}>
                  {fillTemplate(effect, record)}
                </Box>
              ) : (
                target && (
                  <Box component="span" aria-hidden="true" sx={effectStyle}>
                    <ToneChip tone={target.tone}>{target.label}</ToneChip>
                  </Box>
                )
              )}
            </MenuItem>
          );
        })}
      </Menu>
    </>
  );
}
