import { errorId, helpId, type RegistryWidgetsType, type Widget, type WidgetProps } from '@rjsf/utils';
import type { ComponentType } from 'react';
import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { typeNamesWhere } from '../../engine/field-types';
import type { InputProps } from '../fields/fieldType';
import { inputOf } from '../fields/inputs';
import { useFormContext } from './FormContext';

/** By component, so that a form that is drawn again keeps its inputs. */
const widgets = new WeakMap<object, Widget<ResourceRecord>>();

/**
 * The widgets of rjsf's forms: one for each field type, registered under its name. It is the widget that the type
 * brings, otherwise its input.
 *
 * @example <RjsfForm widgets={formWidgets()} />
 */
export function formWidgets(): RegistryWidgetsType<ResourceRecord> {
  return Object.fromEntries(typeNamesWhere(() => true).map((type) => [type, widgetOf(type)]));
}

function widgetOf(type: Field['type']): Widget<ResourceRecord> {
  const { Widget: Part, Input } = inputOf({ type });
  const component = Part ?? Input;
  const registeredWidget = widgets.get(component);
  if (registeredWidget) return registeredWidget;
  const widget = Part ? withFieldState(Part) : asWidget(Input);
  widgets.set(component, widget);
  return widget;
}

/** Draws a widget of rjsf with what the form's conditions say of its field, which its schema cannot. */
function withFieldState(Part: ComponentType<WidgetProps>): Widget<ResourceRecord> {
  return function FieldWidget(props) {
    const form = useFormContext();
    const field = props.options.resourceField as Field;
    const { state, error } = form.fieldContext(field);
    return (
      <Part
        {...(props as WidgetProps)}
        required={state.required}
        readonly={state.readOnly}
        rawErrors={error === undefined ? [] : [error]}
        autofocus={form.first === field.name}
        // The template of the field has the label.
        hideLabel
      />
    );
  };
}

/** Draws the input of a field type as a widget of rjsf. */
function asWidget(Input: ComponentType<InputProps>): Widget<ResourceRecord> {
  return function FieldWidget({ id, value, onChange, options }) {
    const field = options.resourceField as Field;
    const form = useFormContext();
    const { state, isLocked, error, note, sideNote, input } = form.fieldContext(field);
    const descriptionIds = [
      error && errorId(id),
      note && `${id}-note`,
      field.help && helpId(id),
      sideNote && `${id}-aside`,
    ];
    return (
      <Input
        id={id}
        field={field}
        value={value as unknown}
        onChange={onChange}
        required={state.required}
        readOnly={state.readOnly}
        isLocked={isLocked}
        invalid={error !== undefined}
        describedBy={descriptionIds.filter(Boolean).join(' ') || undefined}
        autoFocus={form.first === field.name}
        {...input}
      />
    );
  };
}
