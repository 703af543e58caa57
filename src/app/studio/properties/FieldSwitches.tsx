import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { hasFilter, isShownInList, setFilter, setShownInList } from '../fields/listFields';
import { isInForms } from './fieldOptions';
import { SwitchRow } from './SwitchProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** The key whose condition is being begun. */
export type BegunCondition = 'required' | 'readOnly' | null;

interface FieldSwitchesProps {
  name: string;
  newCondition: BegunCondition;
  onBegin: (part: BegunCondition) => void;
}

const requiredModes = ['form'];

/** Whether a field is required or read-only, shown in the list by default, and offered as a filter. */
export function FieldSwitches({ name, newCondition, onBegin }: FieldSwitchesProps) {
  const { edit, hasValue, isShown, isFilter } = useDraftPart(({ source, edit }) => ({
    edit,
    hasValue: isInForms(completeField(source, name)),
    isShown: isShownInList(source, name),
    isFilter: hasFilter(source, name),
  }));
  return (
    <>
      {hasValue && (
        <WhenRow {...{ name, newCondition, onBegin }} part="required" label="Required" modes={requiredModes} />
      )}
      {hasValue && <WhenRow {...{ name, newCondition, onBegin }} part="readOnly" label="Read only" />}
      <SwitchRow
        label="Shown in list by default"
        isOn={isShown}
        onChange={(isOn) => edit((now) => setShownInList(now, name, isOn))}
      />
      <SwitchRow label="Filter" isOn={isFilter} onChange={(isOn) => edit((now) => setFilter(now, name, isOn))} />
    </>
  );
}

interface WhenRowProps extends FieldSwitchesProps {
  part: 'required' | 'readOnly';
  label: string;
  /** Options besides "always" and "when…". */
  modes?: readonly string[];
}

/** A switch for something that applies always, under a condition, or in another mode. */
function WhenRow({ name, newCondition, onBegin, part, label, modes = [] }: WhenRowProps) {
  const { value, set, error, hint } = useDraftValue(`/fields/${name}/${part}`);
  const isCondition = typeof value === 'object' && value !== null;
  const isOn = value === true || typeof value === 'string' || isCondition;
  const mode = isCondition || newCondition === part ? 'when' : typeof value === 'string' ? value : 'always';
  const choose = (next: string | null) => {
    if (next === null || next === mode) return;
    onBegin(next === 'when' ? part : null);
    // The current setting stays until the condition has a row: an empty one would hold always.
    if (next !== 'when') set(next === 'always' ? true : next);
  };
  return (
    <SwitchRow
      {...{ label, isOn, hint }}
      error={isCondition ? undefined : error}
      onChange={(next) => {
        onBegin(null);
        set(next || undefined);
      }}
      leadingContent={
        isOn && (
          <ToggleButtonGroup
            exclusive
            size="small"
            className={styles.studioWays}
            value={mode}
            aria-label={`${label}: where`}
            onChange={(_, next: string | null) => choose(next)}
          >
            <ToggleButton value="always">always</ToggleButton>
            {modes.map((extraMode) => (
              <ToggleButton key={extraMode} value={extraMode}>
                {extraMode} only
              </ToggleButton>
            ))}
            <ToggleButton value="when">when…</ToggleButton>
          </ToggleButtonGroup>
        )
      }
    />
  );
}
