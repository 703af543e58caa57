import type { ComponentType } from 'react';
import { IconChoice } from '../modules/IconChoice';
import { CardLines } from '../parts/CardLines';
import { FixedValues, InitialValues, StepValues } from '../parts/automations/RecordValues';
import { SentValues } from '../parts/requests/SentValues';
import { EmailTemplateInput, RecipientsInput, WebhookInput } from '../parts/automations/stepInputs';
import { LengthInput, StateInput } from '../parts/automations/triggerInputs';
import { ChipMarks } from '../parts/ChipMarks';
import { CreatedValues, ToolColumn } from '../parts/ImportInputs';
import { Sort } from '../parts/Sort';
import { MultiChoiceProperty, type Option } from './ChoiceProperty';
import { DefaultProperty } from './DefaultProperty';
import { LabelledInput } from './LabelledInput';
import { LinesProperty } from './LinesProperty';
import { OptionValue } from './OptionValue';
import { WidthProperty } from './ReadProperty';
import type { SpecialInputProps } from './specialInputProps';
import { useDraftValue } from './useDraftValue';

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
