import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils';
import type { ComponentType } from 'react';
import { fieldTypeNames, type Field, type FieldTypeName } from '../../engine/definitions/definition';
import { fieldComponents } from '../fields';
import { useFormContext } from './FormContext';

/** The field inputs as rjsf widgets, by type. */
export const widgets: RegistryWidgetsType = Object.fromEntries(
  fieldTypeNames.map((type) => [type, createWidget(type)] as const),
);

function createWidget(type: FieldTypeName): ComponentType<WidgetProps> {
  const { Input } = fieldComponents[type];
  return function PartWidget({ id, value, onChange, options }: WidgetProps) {
    const field = options.of as Field;
    const form = useFormContext();
    const { state, locked, error, note, aside, input } = form.fieldContext(field);
    const described = [error && 'error', note && 'note', field.help && 'help', aside && 'aside'].filter(Boolean);
    return (
      <Input
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
  };
}
