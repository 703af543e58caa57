import type { ComponentType } from 'react';
import { IconChoice } from '../modules/IconChoice';
import { FixedValues, InitialValues, StepValues } from '../parts/automations/RecordValues';
import { SentValues } from '../parts/requests/SentValues';
import { EmailTemplateInput, RecipientsInput, WebhookInput } from '../parts/automations/stepInputs';
import { LengthInput, StateInput } from '../parts/automations/triggerInputs';
import { ChipMarks } from '../parts/ChipMarks';
import { CreatedValues, ToolColumn } from '../parts/ImportInputs';
import { MultiChoiceProperty, type Option, ChoiceProperty } from './ChoiceProperty';
import { DefaultProperty } from './DefaultProperty';
import { LabelledInput } from './LabelledInput';
import { WidthProperty } from './ReadProperty';
import { useDraftValue, type SpecialInputProps } from './useDraftValue';
import { TextInput } from './TextInput';
import type { FieldSource, Source } from '../../../engine/language/source';
import { renameOption } from '../../../engine/studio/fields';
import { parsePointer, valueAtPath } from '../../../engine/formats/json';
import { itemAt } from '../../../engine/values/lookups';
import { useDraftStore, useDraft } from '../draft';
import { NumberProperty, TextProperty } from './TextProperty';
import { withValueAt } from './withValueAt';
import Button from '@mui/material/Button';
import { iconNames } from '../../icons/icons';
import { AddMenu } from './AddMenu';
import { SortedList } from './SortedList';
import { fieldOptions } from './fieldOptions';
import * as styles from './properties.module.css';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useDefinitions } from '../../data/DefinitionsContext';
import { optionsOf } from './optionSources';

const defaultSort = '-id';

/** The default order of the list. */
function Sort() {
  const { source } = useDraft();
  const { value, set, error } = useDraftValue('/list/sort');
  const sort = typeof value === 'string' ? value : defaultSort;
  const field = sort.replace(/^-/, '');
  const put = (name: string, down: boolean) => {
    const next = `${down ? '-' : ''}${name}`;
    set(next === defaultSort ? undefined : next);
  };
  const { registry } = useDefinitions();
  const options = optionsOf(undefined, 'listPaths', { source, registry, part: {} });
  return (
    <LabelledInput label="Sorted by" error={error}>
      {({ id, describedBy }) => (
        <div className={styles.studioRow}>
          <Select
            size="small"
            fullWidth
            value={field}
            error={error !== undefined}
            onChange={({ target }) => put(target.value, sort.startsWith('-'))}
            inputProps={{ id, 'aria-label': 'Sorted by', 'aria-describedby': describedBy }}
            MenuProps={{ slotProps: { paper: { sx: { maxHeight: 320 } } } }}
          >
            {!options.some((option) => option.value === field) && <MenuItem value={field}>{field}</MenuItem>}
            {options.map((option) => (
              <MenuItem key={String(option.value)} value={String(option.value)}>
                {option.label}
              </MenuItem>
            ))}
          </Select>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={sort.startsWith('-')}
            aria-label="Direction"
            onChange={(_, down: boolean | null) => down !== null && put(field, down)}
          >
            <ToggleButton value={false}>up</ToggleButton>
            <ToggleButton value={true}>down</ToggleButton>
          </ToggleButtonGroup>
        </div>
      )}
    </LabelledInput>
  );
}

type CardLine = string | { field: string; icon?: string };
const iconOptions = iconNames.map((name) => ({ value: name, label: name }));
const lineField = (line: CardLine) => (typeof line === 'string' ? line : line.field);

/** The lines of a card: a field each, optionally with an icon. */
function CardLines({ pointer }: { pointer: string }) {
  const { source } = useDraft();
  const { value, set } = useDraftValue(pointer);
  const lines = (Array.isArray(value) ? value : []) as readonly CardLine[];
  const options = fieldOptions(source);
  const free = options.filter((option) => !lines.some((line) => lineField(line) === option.value));
  const labelOfField = (field: string) => options.find((option) => option.value === field)?.label ?? field;
  const put = (next: readonly CardLine[]) => set(next.length === 0 ? undefined : next);
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Lines</span>
      <SortedList
        label="Lines"
        items={lines}
        emptyText="No lines"
        keyOf={(line) => lineField(line)}
        titleOf={(line) => labelOfField(lineField(line))}
        onMove={(oldIndex, newIndex) =>
          put(lines.toSpliced(oldIndex, 1).toSpliced(newIndex, 0, itemAt(lines, oldIndex)))
        }
        onRemove={(index) => put(lines.toSpliced(index, 1))}
      >
        {(line, index) =>
          typeof line === 'string' ? (
            <Button
              size="small"
              variant="outlined"
              onClick={() => put(lines.with(index, { field: line, icon: 'tag' }))}
            >
              Add an icon
            </Button>
          ) : (
            <ChoiceProperty pointer={`${pointer}/${index}/icon`} label="Icon" options={iconOptions} emptyText="None" />
          )
        }
      </SortedList>
      <AddMenu label="Add a line" options={free} onAdd={(field) => put([...lines, field])} />
    </div>
  );
}

const noOptions: readonly Option[] = [];

/** The inputs that were made for single keys, by the names under which the language asks for them. */
export const specialInputs: Readonly<Record<string, ComponentType<SpecialInputProps>>> = {
  cardLines: CardLines,
  chipMarks: ChipMarks,
  createdValues: CreatedValues,
  emailTemplate: EmailTemplateInput,
  fieldValue: ({ pointer, label }) => <DefaultProperty {...{ pointer, label }} name={pointer.split('/').at(-1)} />,
  fixedValues: FixedValues,
  icon: MenuIcon,
  initialValues: InitialValues,
  length: (props) => <LengthInput {...props} unitLabel="Unit of the time without change" />,
  lines: LinesProperty,
  offset: (props) => <LengthInput {...props} unitLabel="Unit of the time before or after" isOffset />,
  optionValue: OptionValue,
  recipients: RecipientsInput,
  sentValues: SentValues,
  sort: Sort,
  state: StateInput,
  stepValues: StepValues,
  toolColumn: ToolColumn,
  typedNames: ({ pointer, label, placeholder }) => (
    <MultiChoiceProperty {...{ pointer, label, placeholder }} options={noOptions} free />
  ),
  webhook: WebhookInput,
  width: ({ pointer, label, placeholder, isRequired }) => (
    <WidthProperty {...{ pointer, label, placeholder, isRequired }} />
  ),
};

function MenuIcon({ pointer, label }: SpecialInputProps) {
  const { value, set, error } = useDraftValue(pointer);
  return (
    <LabelledInput {...{ label, error }}>
      {({ id }) => <IconChoice id={id} icon={typeof value === 'string' ? value : 'tag'} onPick={set} />}
    </LabelledInput>
  );
}

/** A text that is stored as a list of its lines. */
function LinesProperty({ pointer, label }: { pointer: string; label: string }) {
  const { value, set, hint, error } = useDraftValue(pointer);
  const lines = Array.isArray(value) ? value.map(String) : [];
  return (
    <TextInput
      {...{ label, hint, error }}
      lines={6}
      maxLines={30}
      isCode
      value={lines.join('\n')}
      onChange={(text) => set(text.split('\n'))}
    />
  );
}

/** The value of an option. When a published one is changed, the option keeps the former value, so that rows follow. */
function OptionValue({ pointer, label }: { pointer: string; label: string }) {
  const store = useDraftStore();
  // The pointer of the list, the index of the option, and the key of its value.
  const steps = pointer.split('/');
  const listPointer = steps.slice(0, -2).join('/');
  const index = Number(itemAt(steps, -2));
  const { value: options } = useDraftValue(listPointer);
  // An emptied value stays of the kind of the others.
  const isNumber = Array.isArray(options) && (options as Options).some(({ value }) => typeof value === 'number');
  const rename = (next: string | number | undefined) => {
    const { base, edit } = store.get();
    edit((source) => {
      const listSteps = parsePointer(listPointer);
      const storedOptions = valueAtPath(source, listSteps) as Options;
      return withValueAt(
        source,
        listSteps,
        renameOption(storedOptions, index, next, publishedOptions(base.source, listSteps)),
      );
    });
  };
  const Input = isNumber ? NumberProperty : TextProperty;
  return <Input {...{ pointer, label }} onChange={rename} />;
}

type Options = NonNullable<FieldSource['options']>;

function publishedOptions(source: Source, steps: readonly string[]): Options | undefined {
  const options = valueAtPath(source, steps);
  return Array.isArray(options) ? (options as Options) : undefined;
}
