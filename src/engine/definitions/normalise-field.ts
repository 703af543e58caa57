import { fieldTypes } from '../field-types';
import type { Field } from './definition';
import { labelOf } from './labels';
import type { FieldSource, Source } from './source';

/** A source field with every default filled in. `type` must be valid (the schema checks it). */
export function normaliseField(name: string, written: FieldSource, source: Source, system: boolean): Field {
  const type = fieldTypes[written.type ?? 'text'];
  const typeName = written.type ?? 'text';
  const required = written.required === true && written.computed === undefined;
  const condition = typeof written.required === 'object' ? written.required : undefined;
  const readOnly =
    written.readOnly === true || written.computed !== undefined || typeName === 'inverse' || type.isDerived === true;
  const secret = written.secret ?? typeName === 'password';
  const field: Field = {
    name,
    type: typeName,
    label: written.label ?? labelOf(name),
    required,
    requiredInForm: required || written.required === 'form',
    requiredWhen: condition,
    readOnly,
    readOnlyWhen: typeof written.readOnly === 'object' ? written.readOnly : undefined,
    visible: written.visible,
    default: written.default,
    unique:
      written.unique === true ? (isInstallation(source) ? 'installation' : 'company') : written.unique || undefined,
    minLength: written.minLength,
    maxLength: written.maxLength ?? type.maxLength,
    min: written.min,
    max: written.max,
    integer: written.integer ?? false,
    pattern: written.pattern,
    patternMessage: written.patternMessage,
    notBefore: written.notBefore,
    after: written.after,
    notAfter: written.notAfter,
    on: written.on,
    span:
      typeName === 'duration' && written.from !== undefined && written.to !== undefined
        ? { from: written.from, to: written.to }
        : undefined,
    path: written.path,
    shares: written.shares ?? [],
    options: written.options,
    to: typeName === 'duration' ? undefined : written.to,
    embed: written.embed,
    embedFields: written.embedFields ?? [],
    choices: written.choices,
    onDelete: written.onDelete ?? 'restrict',
    within: written.within ?? false,
    maxDepth: written.maxDepth ?? (nests(name, written, source) && !system ? 2 : undefined),
    inverse: readInverse(written.of),
    inLists: written.inLists ?? (typeName === 'inverse' ? 'count' : 'nothing'),
    countAs: written.countAs ?? `${name}_count`,
    sum: written.sum === undefined ? undefined : { field: written.sum, name: `${name}_sum` },
    show: written.show ?? [],
    computed: written.computed,
    was: written.was,
    system,
    secret,
    virtual: written.virtual ?? false,
    searchable: !secret && !system && (written.searchable ?? type.searchable),
    sortable: !secret && !written.virtual && (written.sortable ?? type.sortable),
    filterable: !secret && !written.virtual && (written.filterable ?? type.filterable),
    width: written.width ?? type.width,
    lines: written.lines,
    digits: written.digits,
    separators: written.separators,
    help: written.help,
    placeholder: written.placeholder,
    empty: written.empty,
  };
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined)) as unknown as Field;
}

/** A relation to its own resource nests records, unless it only refers to the original of a copy. */
function nests(name: string, written: FieldSource, source: Source): boolean {
  return written.to === source.name && written.type === 'relation' && source.copy?.keeps !== name;
}

function isInstallation(source: Source): boolean {
  return source.scope === 'installation' || source.scope === 'self';
}

function readInverse(of: string | undefined): Field['inverse'] {
  if (of === undefined) return undefined;
  const dot = of.indexOf('.');
  return { resource: of.slice(0, dot), field: of.slice(dot + 1) };
}
