import Button from '@mui/material/Button';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useRef, useState } from 'react';
import { formatNumber } from '../../src/engine/formats/numbers';
import { Icon } from '../../src/app/icons/Icon';
import { useCommands } from '../../src/app/commands/commands';
import { Initials } from '../../src/app/chips/Initials';
import { usePeople } from '../add-tests/useChoices';
import type { OverviewEntry, OverviewRun } from './overviewApi';
import { useAssign } from './useAssign';

interface AssignButtonProps {
  run: OverviewRun;
  /** The tests that are assigned. */
  entries: readonly OverviewEntry[];
  /** Whether they were selected one by one, or are simply all that are shown. */
  isSelection: boolean;
  onAssigned: () => void;
}

/** Assigns tests to a person, or to nobody; it can be taken back. */
export function AssignButton({ run, entries, isSelection, onAssigned }: AssignButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const people = usePeople();
  const { assign, isAssigning } = useAssign(run);
  const button = useRef<HTMLButtonElement>(null);
  const isDisabled = entries.length === 0 || isAssigning;
  useCommands(
    () => [{ id: 'assign', label: 'Assign tests', icon: 'user', keys: 'a', run: () => setAnchor(button.current) }],
    !isDisabled,
  );
  const close = () => setAnchor(null);
  const choose = (person: { id: number; title: string } | null) => {
    close();
    assign(entries, person);
    onAssigned();
  };
  const count = entries.length === 1 ? 'one test' : `${formatNumber(entries.length)} tests`;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="user" />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        ref={button}
        disabled={isDisabled}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {isSelection ? `Assign ${formatNumber(entries.length)}` : 'Assign'}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close} slotProps={{ paper: { sx: { maxHeight: 360 } } }}>
        <ListSubheader>
          Assign {isSelection ? `${count} that ${entries.length === 1 ? 'is' : 'are'} selected` : `all ${count} shown`}
        </ListSubheader>
        {people.error && <MenuItem disabled>{people.error.message}</MenuItem>}
        {people.data === undefined && !people.error && <MenuItem disabled>Loading…</MenuItem>}
        {people.data?.map((person) => (
          <MenuItem key={person.id} onClick={() => choose(person)}>
            <Initials name={person.title} />
            {person.title}
          </MenuItem>
        ))}
        {people.data && (
          <MenuItem onClick={() => choose(null)}>
            <Initials name="" />
            Nobody
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
