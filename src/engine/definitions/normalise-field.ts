import { fieldTypes, type FieldContext, type FieldType } from '../field-types';
import { addedTypeKeys } from '../language/field-types/type-keys';
import type { Field, FieldBase, FieldTypeName } from './definition';
import { labelOf } from './labels';
import type { AnyFieldSource, FieldSource, Source } from './source';
import typeKeyNames from './type-key-names.json' with { type: 'json' };

/**
 * A source field with every default filled in. `type` must be valid, and what the type needs must be there (the schema
 * checks both). A key that the type does not have is left out; the checks report it.
 */
export function normaliseField(name: string, written: FieldSource, source: Source, system: boolean): Field {
  const typeName = written.type ?? 'text';
  const context: FieldContext = { name, source, system };
  const field = { ...baseOf(typeName, written, context), type: typeName, ...ownProperties(typeName, written, context) };
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined)) as unknown as Field;
}

/** The properties that only some types have. */
function ownProperties(typeName: FieldTypeName, written: FieldSource, context: FieldContext): object {
  const type: FieldType = fieldTypes[typeName];
  const added = addedTypeKeys[typeName];
  const keys: readonly string[] = added ? Object.keys(added.keys) : typeKeyNames[typeName];
  const own: AnyFieldSource = Object.fromEntries(
    keys.map((key) => [key, written[key as keyof FieldSource]]).filter(([, value]) => value !== undefined),
  );
  if (keys.includes('maxLength')) own.maxLength ??= type.maxLength;
  const columns = own.fields && {
    columns: Object.fromEntries(
      Object.entries(own.fields).map(([name, column]) => [name, normaliseField(name, column, context.source, false)]),
    ),
  };
  return { ...(type.normalise?.(own, context) ?? own), ...columns };
}

function baseOf(typeName: FieldTypeName, written: FieldSource, { name, source, system }: FieldContext): FieldBase {
  const type: FieldType = fieldTypes[typeName];
  const required = written.required === true && written.computed === undefined;
  const readOnly = written.readOnly === true || written.computed !== undefined || type.isDerived === true;
  const secret = written.secret ?? type.isHashed === true;
  return {
    name,
    label: written.label ?? labelOf(name),
    help: written.help,
    placeholder: written.placeholder,
    emptyText: written.emptyText,
    required,
    requiredInForm: required || written.required === 'form',
    requiredWhen: typeof written.required === 'object' ? written.required : undefined,
    readOnly,
    readOnlyWhen: typeof written.readOnly === 'object' ? written.readOnly : undefined,
    visible: written.visible,
    // The state of a relation is the name of a record, which the server looks up.
    default: written.default ?? (written.to === undefined ? written.initial : undefined),
    unique:
      written.unique === true ? (isInstallation(source) ? 'installation' : 'company') : written.unique || undefined,
    computed: written.computed,
    formerName: written.formerName,
    system,
    secret,
    virtual: written.virtual ?? false,
    searchable: !secret && !system && (written.searchable ?? type.searchable),
    sortable: !secret && !written.virtual && (written.sortable ?? type.sortable),
    filterable: !secret && !written.virtual && (written.filterable ?? type.filterable),
    width: written.width ?? type.width,
  };
}

function isInstallation(source: Source): boolean {
  return source.scope === 'installation' || source.scope === 'self';
}
