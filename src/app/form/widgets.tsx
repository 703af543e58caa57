import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils';
import type { Field } from '../../engine/definitions/definition';
import { fieldWidget } from '../../engine/forms/form-schema';
import { FieldInput } from '../fields/inputs';
import { useFormContext } from './FormContext';

/** The one widget of rjsf's forms: the input of the field's type. */
export const widgets: RegistryWidgetsType = { [fieldWidget]: FieldWidget };

function FieldWidget({ id, value, onChange, options }: WidgetProps) {
  const field = options.of as Field;
  const form = useFormContext();
  const { state, locked, error, note, aside, input } = form.fieldContext(field);
  const described = [error && 'error', note && 'note', field.help && 'help', aside && 'aside'].filter(Boolean);
  return (
    <FieldInput
      id={id}
      field={field}
      value={value as unknown}
      onChange={onChange}
      required={state.required}
      readOnly={state.readOnly}
      locked={locked}
      invalid={error !== undefined}
      describedBy={described.map((part) => `${id}-${part}`).join(' ') || undefined}
      autoFocus={form.first === field.name}
      {...input}
    />
  );
}
