import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { weekdays } from '../../../../../engine/definitions/automation';
import type { AutomationSource, FieldSource } from '../../../../../engine/definitions/source';
import { writtenTypeOf } from '../../../../../engine/field-types';
import {
  readIdle,
  readOffset,
  triggerOf,
  withTrigger,
  type Becoming,
  type Trigger,
} from '../../../../../engine/studio/automation-edits';
import { useDraftPart } from '../../draft';
import { ChoiceProperty, MultiChoiceProperty, type Option } from '../../properties/ChoiceProperty';
import { LabelledInput } from '../../properties/LabelledInput';
import { TextProperty } from '../../properties/TextProperty';
import { allFields, fieldOptions } from '../../properties/fieldOptions';
import { useDraftValue } from '../../properties/useDraftValue';
import { useStateOptions } from '../../properties/useStateOptions';
import * as styles from '../../properties/properties.module.css';

const triggers: readonly { value: Trigger; label: string }[] = [
  { value: 'change', label: 'After a change' },
  { value: 'transition', label: 'When a field becomes a value' },
  { value: 'schedule', label: 'At a time' },
  { value: 'dueTime', label: 'At a time of the record' },
  { value: 'idle', label: 'After a time without change' },
];

const events: readonly Option[] = [
  { value: 'create', label: 'Created' },
  { value: 'update', label: 'Changed' },
  { value: 'delete', label: 'Deleted or archived' },
  { value: 'comment', label: 'Commented on' },
];

const periods: readonly Option[] = [
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
];

const days: readonly Option[] = weekdays.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

const daysOfMonth: readonly Option[] = [
  ...Array.from({ length: 31 }, (_, index) => ({ value: index + 1, label: String(index + 1) })),
  { value: 'last', label: 'The last one' },
];

/** What starts an automation. */
export function TriggerInputs({ at }: { at: string }) {
  const { value, set } = useDraftValue(at);
  const automation = (value ?? {}) as AutomationSource;
  const chosen = triggerOf(automation);
  const becoming = useDraftPart(({ source }): Becoming | undefined => {
    const [name, field] = Object.entries(source.fields).find(([, { options }]) => options?.length) ?? [];
    return name === undefined ? undefined : { field: name, to: field!.options![0]!.value };
  });
  return (
    <>
      <LabelledInput label="Starts">
        {({ id, describedBy }) => (
          <Select
            size="small"
            fullWidth
            displayEmpty
            value={chosen ?? ''}
            onChange={({ target }) => set(withTrigger(automation, target.value as Trigger, becoming))}
            inputProps={{ id, 'aria-label': 'Starts', 'aria-describedby': describedBy }}
          >
            {chosen === undefined && (
              <MenuItem value="">
                <span className={styles.studioMuted}>Choose…</span>
              </MenuItem>
            )}
            {triggers.map(({ value: one, label }) => (
              <MenuItem key={one} value={one}>
                {label}
              </MenuItem>
            ))}
          </Select>
        )}
      </LabelledInput>
      {chosen === 'change' && <ChangeInputs at={at} />}
      {chosen === 'transition' && <TransitionInputs at={at} />}
      {chosen === 'schedule' && (
        <>
          <div className={styles.studioPair}>
            <ChoiceProperty at={`${at}/schedule`} label="How often" ways={periods} />
            <TextProperty at={`${at}/time`} label="At" usual="00:00" />
          </div>
          {(automation.schedule === 'week' || automation.weekdays) && (
            <MultiChoiceProperty at={`${at}/weekdays`} label="On" ways={days} usual="Monday" />
          )}
          {(automation.schedule === 'month' || automation.day !== undefined) && (
            <ChoiceProperty at={`${at}/day`} label="Day" ways={daysOfMonth} none="The first" />
          )}
          <TextProperty at={`${at}/timeZone`} label="Time zone" usual="UTC" />
        </>
      )}
      {chosen === 'dueTime' && <DueTimeInputs at={`${at}/dueTime`} />}
      {chosen === 'idle' && <IdleInput at={`${at}/idleTime`} />}
    </>
  );
}

/** An emptied list of events stays, so that what is missing is said here. */
const writeEvents = (chosen: string[]) => chosen;

function ChangeInputs({ at }: { at: string }) {
  const fields = useDraftPart(({ source }) => fieldOptions(source, (_, name) => name !== 'id'));
  return (
    <>
      <MultiChoiceProperty at={`${at}/events`} label="After a record was" ways={events} write={writeEvents} />
      <MultiChoiceProperty
        at={`${at}/changedFields`}
        label="Only if one of these changed"
        ways={fields}
        usual="Any change"
      />
    </>
  );
}

function TransitionInputs({ at }: { at: string }) {
  const fields = useDraftPart(({ source }) => fieldOptions(source, (_, name) => name !== 'id'));
  const { value: name } = useDraftValue(`${at}/transition/field`);
  const field = useDraftPart(({ source }) => allFields(source)[String(name)]);
  const states = useStateOptions(String(name));
  const hasStates = field?.options !== undefined || field?.transitions !== undefined;
  return (
    <>
      <ChoiceProperty at={`${at}/transition/field`} label="Field" ways={fields} />
      {hasStates ? (
        <ChoiceProperty at={`${at}/transition/to`} label="Becomes" ways={states.options} />
      ) : (
        <BecomesInput at={`${at}/transition/to`} isNumber={field !== undefined && isNumeric(field)} />
      )}
      <MultiChoiceProperty at={`${at}/events`} label="After a record was" ways={events} usual="Changed" />
    </>
  );
}

const isNumeric = (field: Parameters<typeof writtenTypeOf>[0]) =>
  ['number', 'record'].includes(writtenTypeOf(field).holds);

function BecomesInput({ at, isNumber }: { at: string; isNumber: boolean }) {
  const { value, set, error } = useDraftValue(at);
  const read = (text: string) => (isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  return (
    <LabelledInput label="Becomes" error={error}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          autoComplete="off"
          error={error !== undefined}
          value={value === undefined ? '' : String(value as string | number)}
          onChange={({ target }) => set(read(target.value))}
          slotProps={{ input: { 'aria-describedby': describedBy } }}
        />
      )}
    </LabelledInput>
  );
}

const units: readonly { value: string; label: string }[] = [
  { value: 'min', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
  { value: 'w', label: 'weeks' },
];

/** A duration such as `7d`, as a number and a unit. */
function IdleInput({ at }: { at: string }) {
  const { value, set, error, hint } = useDraftValue(at);
  const { count, unit } = readIdle(value) ?? { count: undefined, unit: 'd' };
  return (
    <LabelledInput label="Without change for" {...{ error, hint }}>
      {(input) => (
        <div className={styles.studioRow}>
          <LengthInputs
            {...{ ...input, count, unit, isWrong: error !== undefined }}
            unitLabel="Unit of the time without change"
            onChange={(length) => set(length)}
          />
        </div>
      )}
    </LabelledInput>
  );
}

interface LengthInputsProps {
  id: string;
  describedBy: string | undefined;
  count: number | undefined;
  unit: string;
  isWrong: boolean;
  unitLabel: string;
  /** Gets a length such as `7d`. */
  onChange: (length: string) => void;
}

function LengthInputs({ id, describedBy, count, unit, isWrong, unitLabel, onChange }: LengthInputsProps) {
  return (
    <>
      <OutlinedInput
        id={id}
        size="small"
        type="number"
        className={styles.studioNumber}
        autoComplete="off"
        error={isWrong}
        value={count ?? ''}
        onChange={({ target }) => onChange(`${target.value === '' ? 0 : Math.trunc(Number(target.value))}${unit}`)}
        slotProps={{ input: { 'aria-describedby': describedBy, min: 1, max: 9999 } }}
      />
      <Select
        size="small"
        value={unit}
        onChange={({ target }) => onChange(`${count ?? 1}${target.value}`)}
        inputProps={{ 'aria-label': unitLabel }}
      >
        {units.map(({ value: one, label }) => (
          <MenuItem key={one} value={one}>
            {label}
          </MenuItem>
        ))}
      </Select>
    </>
  );
}

const isMoment = (field: FieldSource) =>
  ['day', 'instant'].includes(writtenTypeOf(field).holds) && field.computed === undefined;

/** A date or date-time of the record, and how long before or after it. */
function DueTimeInputs({ at }: { at: string }) {
  const fields = useDraftPart(({ source }) => fieldOptions(source, isMoment));
  const { value: name } = useDraftValue(`${at}/field`);
  const { value: timeOfDay } = useDraftValue(`${at}/timeOfDay`);
  const isDay = useDraftPart(({ source }) => {
    const field = allFields(source)[String(name)];
    return field !== undefined && writtenTypeOf(field).holds === 'day';
  });
  return (
    <>
      <ChoiceProperty at={`${at}/field`} label="Date" ways={fields} />
      <OffsetInput at={`${at}/offset`} />
      {(isDay || timeOfDay !== undefined) && <TextProperty at={`${at}/timeOfDay`} label="Time of day" usual="09:00" />}
    </>
  );
}

const directions: readonly { value: string; label: string }[] = [
  { value: '', label: 'At its time' },
  { value: '-', label: 'Before' },
  { value: '+', label: 'After' },
];

/** An offset such as `-1h`, as a direction, a number and a unit. */
function OffsetInput({ at }: { at: string }) {
  const { value, set, error, hint } = useDraftValue(at);
  const { sign, count, unit } = readOffset(value);
  const hasOffset = value !== undefined;
  return (
    <LabelledInput label="How long before or after" {...{ error, hint }}>
      {(input) => (
        <div className={styles.studioRow}>
          <Select<string>
            size="small"
            displayEmpty
            value={hasOffset ? sign : ''}
            onChange={({ target }) => set(target.value === '' ? undefined : `${target.value}${count ?? 1}${unit}`)}
            inputProps={{ id: hasOffset ? undefined : input.id, 'aria-label': 'Before or after' }}
          >
            {directions.map(({ value: one, label }) => (
              <MenuItem key={one} value={one}>
                {label}
              </MenuItem>
            ))}
          </Select>
          {hasOffset && (
            <LengthInputs
              {...{ ...input, count, unit, isWrong: error !== undefined }}
              unitLabel="Unit of the time before or after"
              onChange={(length) => set(`${sign}${length}`)}
            />
          )}
        </div>
      )}
    </LabelledInput>
  );
}
