import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { FieldSource } from '../../../../engine/definitions/source';
import { useDraft } from '../draft';
import { hasFilter, isShownInList, setFilter, setShownInList } from '../fields/listFields';
import { isInForms } from './fieldOptions';
import { SwitchRow } from './SwitchProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

const requiredModes = ['form'];

/** Whether a field is required or read-only, shown in the list by default, and offered as a filter. */
export function FieldSwitches({ name, field }: { name: string; field: FieldSource }) {
  const { source, edit } = useDraft();
  const hasValue = isInForms(field);
  return (
    <>
      {hasValue && <WhenRow name={name} part="required" label="Required" modes={requiredModes} />}
      {hasValue && <WhenRow name={name} part="readOnly" label="Read only" />}
      <SwitchRow
        label="Shown in list by default"
        on={isShownInList(source, name)}
        onChange={(on) => edit((now) => setShownInList(now, name, on))}
      />
      <SwitchRow
        label="Filter"
        on={hasFilter(source, name)}
        onChange={(on) => edit((now) => setFilter(now, name, on))}
      />
    </>
  );
}

interface WhenRowProps {
  name: string;
  part: 'required' | 'readOnly';
  label: string;
  /** Options besides "always" and "when…". */
  modes?: readonly string[];
}

/** A switch for something that applies always, under a condition, or in another mode. */
function WhenRow({ name, part, label, modes = [] }: WhenRowProps) {
  const { value, set, error, hint } = useDraftValue(`/fields/${name}/${part}`);
  const isCondition = typeof value === 'object' && value !== null;
  const on = value === true || typeof value === 'string' || isCondition;
  const way = isCondition ? 'when' : typeof value === 'string' ? value : 'always';
  const choose = (next: string | null) => {
    if (next !== null && next !== way) set(next === 'always' ? true : next === 'when' ? {} : next);
  };
  return (
    <SwitchRow
      {...{ label, on, hint }}
      error={isCondition ? undefined : error}
      onChange={(next) => set(next || undefined)}
      aside={
        on && (
          <ToggleButtonGroup
            exclusive
            size="small"
            className={styles.studioWays}
            value={way}
            aria-label={`${label}: where`}
            onChange={(_, next: string | null) => choose(next)}
          >
            <ToggleButton value="always">always</ToggleButton>
            {modes.map((one) => (
              <ToggleButton key={one} value={one}>
                {one} only
              </ToggleButton>
            ))}
            <ToggleButton value="when">when…</ToggleButton>
          </ToggleButtonGroup>
        )
      }
    />
  );
}
