import type { Field, FieldOf } from '../definitions/definition';
import type { FieldType, SheetType } from './field-type';
import { isEqualSet } from '../values/equal-values';
import { textValues } from './text';
import { normaliseTransitions } from './transitions';

/** One of the values that the definition lists, or with `multiple` several of them. */
export const select: FieldType<FieldOf<'select'>> = {
  ...textValues,
  normalise: ({ transitions, multiple, ...source }) => ({
    ...source,
    ...(multiple && { multiple, sortable: false }),
    ...(transitions && { transitions: normaliseTransitions(transitions) }),
  }),
  columnOf: ({ multiple, options }) => (!multiple ? undefined : areNumbers(options) ? 'integer[]' : 'text[]'),
  schema: ({ multiple, options }) => {
    const schema = { enum: options.map(({ value }) => value) };
    return multiple ? { type: 'array', items: schema, uniqueItems: true, maxItems: options.length } : schema;
  },
  parse: (value, field) => (value === '' ? null : field.multiple ? parseMany(value, field) : value),
  fromText: (text, field) => (field.multiple ? readMany(text, field, parseOption) : parseOption(text, field)),
  toText: (value, field) => labelsOf(Array.isArray(value) ? value : [value], field).join(', '),
  describeChange: (sides, side, field) => describeMembers(sides, side, field),
  isEqual: (left, right) => (Array.isArray(left) || Array.isArray(right) ? isEqualSet(left, right) : left === right),
  searchable: false,
  maxLength: undefined,
  isDetail: true,
  isUsualFilter: true,
  fitsCell: true,
};

type Options = FieldOf<'select'>['options'];

/**
 * The values that mean an option: its own, and the one that it had before (`formerValue`), which is never that of another one.
 *
 * @example optionValues({ value: 'working', label: 'Working', formerValue: 'in_work' }); // ['working', 'in_work']
 */
export function optionValues({ value, formerValue = value }: Options[number]): unknown[] {
  return [value, formerValue];
}

function areNumbers(options: Options): boolean {
  return options.every(({ value }) => typeof value === 'number');
}

/**
 * The field as one that has a single value, to which those of a field with several are compared.
 *
 * @example singleValueField(browsers); // the same options, with one value
 */
export function singleValueField(field: Field): Field {
  return field.multiple ? ({ ...field, multiple: undefined } as Field) : field;
}

/** Values in the order of the options, each once; none is null. A text that contains anything else stays as it is. */
function parseMany(value: unknown, { options }: FieldOf<'select'>): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length === 0) return null;
  const values = new Set<unknown>(value);
  const knownValues = options.map((option) => option.value).filter((option) => values.has(option));
  return knownValues.length === values.size ? knownValues : value;
}

type ReadOption = (text: string, field: FieldOf<'select'>) => string | number | undefined;

/** Reads one value, or several with commas, semicolons or line breaks between them. */
function readMany(text: string, field: FieldOf<'select'>, readOne: ReadOption): unknown {
  const values = partsOf(text, field, readOne).map((part) => readOne(part, field));
  return values.includes(undefined) ? undefined : parseMany(values, field);
}

/** The parts of a text; an option may have a comma itself. */
function partsOf(text: string, field: FieldOf<'select'>, readOne: ReadOption): string[] {
  if (readOne(text, field) !== undefined) return [text];
  return text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function labelsOf(values: readonly unknown[], { options }: FieldOf<'select'>): string[] {
  return values.flatMap((value) => options.find((option) => optionValues(option).includes(value))?.label ?? []);
}

/** Where both sides have values, the removed ones are the old side of a change and the added ones the new side. */
function describeMembers(
  sides: { readonly old: unknown; readonly new: unknown },
  side: 'old' | 'new',
  field: FieldOf<'select'>,
): string | undefined {
  const { old: oldValue, new: newValue } = sides;
  if (!Array.isArray(oldValue) || !Array.isArray(newValue)) return undefined;
  const [sideValues, otherValues] = side === 'old' ? [oldValue, newValue] : [newValue, oldValue];
  const changedLabels = labelsOf(
    sideValues.filter((value) => !otherValues.includes(value)),
    field,
  );
  return changedLabels.length === 0 ? '' : `${side === 'old' ? 'Removed' : 'Added'} ${changedLabels.join(', ')}`;
}

function parseOption(text: string, field: FieldOf<'select'>): string | number | undefined {
  const value = text.trim();
  return field.options.find((option) => optionValues(option).map(String).includes(value))?.value;
}

function readLabel(text: string, field: FieldOf<'select'>): string | number | undefined {
  const label = text.trim().toLowerCase();
  return field.options.find((option) => option.label.toLowerCase() === label)?.value ?? parseOption(text, field);
}

export const selectSheet: SheetType<FieldOf<'select'>> = {
  fromCell: (text, field) => (field.multiple ? readMany(text, field, readLabel) : readLabel(text, field)),
  cellProblem: (text, field) => {
    if (!field.multiple) return undefined;
    const unknownPart = partsOf(text, field, readLabel).find((part) => readLabel(part, field) === undefined);
    return unknownPart === undefined
      ? undefined
      : `${field.label}: “${unknownPart.slice(0, 100)}” is not one of its options.`;
  },
  example: (field) =>
    field.options
      .slice(0, field.multiple ? 2 : 1)
      .map(({ label }) => label)
      .join(', '),
  // A drop-down offers one value.
  choices: (field) => (field.multiple ? [] : field.options.map(({ label }) => label)),
};
