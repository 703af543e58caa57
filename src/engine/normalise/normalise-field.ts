import { describeCondition } from '../conditions/describe-condition';
import { fieldTypes, type FieldContext, type FieldType } from '../field-types';
import { addedTypeKeys } from '../language/field-types/type-keys';
import type { Field, FieldBase, FieldTypeName, Transition } from '../definitions/definition';
import { labelOf } from '../definitions/labels';
import type { AnyFieldSource, FieldSource, Source } from '../language/source';
import typeKeyNames from './type-key-names.json' with { type: 'json' };

/**
 * A source field with every default filled in. `type` must be valid, and what the type needs must be there (the schema
 * checks both). A key that the type does not have is left out; the checks report it.
 */
export function normaliseField(name: string, fieldSource: FieldSource, source: Source, system: boolean): Field {
  const typeName = fieldSource.type ?? 'text';
  const context: FieldContext = { name, source, system };
  const field = {
    ...baseOf(typeName, fieldSource, context),
    type: typeName,
    ...ownProperties(typeName, fieldSource, context),
  };
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined)) as unknown as Field;
}

/** The properties that only some types have. */
function ownProperties(typeName: FieldTypeName, fieldSource: FieldSource, context: FieldContext): object {
  const type: FieldType = fieldTypes[typeName];
  const addedKeys = addedTypeKeys[typeName];
  const keys: readonly string[] = addedKeys ? Object.keys(addedKeys.keys) : typeKeyNames[typeName];
  const ownSource: AnyFieldSource = Object.fromEntries(
    keys.map((key) => [key, fieldSource[key as keyof FieldSource]]).filter(([, value]) => value !== undefined),
  );
  if (keys.includes('maxLength')) ownSource.maxLength ??= type.maxLength;
  const columns = ownSource.fields && {
    columns: Object.fromEntries(
      Object.entries(ownSource.fields).map(([name, column]) => [
        name,
        normaliseField(name, column, context.source, false),
      ]),
    ),
  };
  const properties: OwnProperties = type.normalise?.(ownSource, context) ?? ownSource;
  const { transitions } = properties;
  return { ...properties, ...columns, ...(transitions && { transitions: transitions.map(describeTransition) }) };
}

type OwnProperties = object & { readonly transitions?: readonly Transition[] };

/** With its condition in words. */
function describeTransition(transition: Transition): Transition {
  const { from: states, to: targets, ...rest } = transition;
  return rest.where ? { ...rest, condition: describeCondition(rest.where), from: states, to: targets } : transition;
}

function baseOf(typeName: FieldTypeName, fieldSource: FieldSource, { name, source, system }: FieldContext): FieldBase {
  const type: FieldType = fieldTypes[typeName];
  const isRequired = fieldSource.required === true && fieldSource.computed === undefined;
  const readOnly = fieldSource.readOnly === true || fieldSource.computed !== undefined || type.isDerived === true;
  const secret = fieldSource.secret ?? type.isHashed === true;
  return {
    name,
    label: fieldSource.label ?? labelOf(name),
    help: fieldSource.help,
    placeholder: fieldSource.placeholder,
    emptyText: fieldSource.emptyText,
    required: isRequired,
    requiredInForm: isRequired || fieldSource.required === 'form',
    requiredWhen: typeof fieldSource.required === 'object' ? fieldSource.required : undefined,
    readOnly,
    readOnlyWhen: typeof fieldSource.readOnly === 'object' ? fieldSource.readOnly : undefined,
    visible: fieldSource.visible,
    // The state of a relation is the name of a record, which the server looks up.
    default: fieldSource.default ?? (fieldSource.to === undefined ? fieldSource.initial : undefined),
    unique:
      fieldSource.unique === true
        ? isInstallation(source)
          ? 'installation'
          : 'company'
        : fieldSource.unique || undefined,
    computed: fieldSource.computed,
    formerName: fieldSource.formerName,
    system,
    secret,
    virtual: fieldSource.virtual ?? false,
    searchable: !secret && !system && (fieldSource.searchable ?? type.searchable),
    sortable: !secret && !fieldSource.virtual && (fieldSource.sortable ?? type.sortable),
    filterable: !secret && !fieldSource.virtual && (fieldSource.filterable ?? type.filterable),
    width: fieldSource.width ?? type.width,
  };
}

function isInstallation(source: Source): boolean {
  return source.scope === 'installation' || source.scope === 'self';
}
