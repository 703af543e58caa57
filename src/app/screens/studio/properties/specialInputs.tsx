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
  fieldValue: ({ at, label }) => <DefaultProperty {...{ at, label }} name={at.split('/').at(-1)} />,
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
  typedNames: ({ at, label, usual }) => <MultiChoiceProperty {...{ at, label, usual }} ways={noOptions} free />,
  webhook: WebhookInput,
  width: ({ at, label, usual, isRequired }) => <WidthProperty {...{ at, label, usual, isRequired }} />,
};

function MenuIcon({ at, label }: SpecialInputProps) {
  const { value, set, error } = useDraftValue(at);
  return (
    <LabelledInput {...{ label, error }}>
      {({ id }) => <IconChoice id={id} icon={typeof value === 'string' ? value : 'tag'} onPick={set} />}
    </LabelledInput>
  );
}
