import type { Field, FieldOf } from '../definitions/definition';
import type { FieldType, SheetType } from './field-type';
import { isEqualSet } from '../validation/equal-values';
import { textValues } from './text';
import { normaliseTransitions } from './transitions';

/** One of the values that the definition lists, or with `multiple` several of them. */
export const select: FieldType<FieldOf<'select'>> = {
  ...textValues,
  normalise: ({ transitions, multiple, ...written }) => ({
    ...written,
    ...(multiple && { multiple, sortable: false }),
    ...(transitions && { transitions: normaliseTransitions(transitions) }),
  }),
  columnOf: ({ multiple, options }) => (!multiple ? undefined : areNumbers(options) ? 'integer[]' : 'text[]'),
  schema: ({ multiple, options }) => {
    const one = { enum: options.map(({ value }) => value) };
    return multiple ? { type: 'array', items: one, uniqueItems: true, maxItems: options.length } : one;
  },
  parse: (value, field) => (value === '' ? null : field.multiple ? parseMany(value, field) : value),
  fromText: (text, field) => (field.multiple ? readMany(text, field, parseOption) : parseOption(text, field)),
  toText: (value, field) => labelsOf(Array.isArray(value) ? value : [value], field).join(', '),
  describeChange: (sides, side, field) => describeMembers(sides, side, field),
  isEqual: (one, other) => (Array.isArray(one) || Array.isArray(other) ? isEqualSet(one, other) : one === other),
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

/** Values in the order of the options, each once; none is null. What contains anything else stays as it is. */
function parseMany(value: unknown, { options }: FieldOf<'select'>): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length === 0) return null;
  const chosen = new Set<unknown>(value);
  const known = options.map((option) => option.value).filter((one) => chosen.has(one));
  return known.length === chosen.size ? known : value;
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

/** What was removed is the old side of a change, what was added the new one, where both sides have values. */
function describeMembers(
  sides: { readonly old: unknown; readonly new: unknown },
  side: 'old' | 'new',
  field: FieldOf<'select'>,
): string | undefined {
  const { old, new: fresh } = sides;
  if (!Array.isArray(old) || !Array.isArray(fresh)) return undefined;
  const [these, others] = side === 'old' ? [old, fresh] : [fresh, old];
  const only = labelsOf(
    these.filter((one) => !others.includes(one)),
    field,
  );
  return only.length === 0 ? '' : `${side === 'old' ? 'Removed' : 'Added'} ${only.join(', ')}`;
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
    const wrong = partsOf(text, field, readLabel).find((part) => readLabel(part, field) === undefined);
    return wrong === undefined ? undefined : `${field.label}: “${wrong.slice(0, 100)}” is not one of its options.`;
  },
  example: (field) =>
    field.options
      .slice(0, field.multiple ? 2 : 1)
      .map(({ label }) => label)
      .join(', '),
  // A drop-down offers one value.
  choices: (field) => (field.multiple ? [] : field.options.map(({ label }) => label)),
};
