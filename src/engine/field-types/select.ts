import { describeLevels } from '../access/describe-levels';
import { describeCondition } from '../conditions/describe-condition';
import type { FieldOf } from '../definitions/definition';
import type { FieldType, SheetType } from './field-type';
import { textValues } from './text';

/** One of the values that the definition lists. */
export const select: FieldType<FieldOf<'select'>> = {
  ...textValues,
  keys: ['options', 'initial', 'transitions'],
  neededKeys: ['options'],
  normalise: ({ transitions, ...written }) => ({
    ...written,
    ...(transitions && {
      transitions: transitions.map(({ from, to, ...rest }) => ({
        needs: [],
        ...rest,
        ...(rest.levels && { who: describeLevels(rest.levels) }),
        ...(rest.when && { condition: describeCondition(rest.when) }),
        from: [from].flat(),
        to: [to].flat(),
      })),
    }),
  }),
  schema: (field) => ({ enum: field.options.map((option) => option.value) }),
  parse: (value) => (value === '' ? null : value),
  fromText: parseOption,
  toText: (value, field) => field.options.find((option) => option.value === value)?.label ?? '',
  searchable: false,
  maxLength: undefined,
  isDetail: true,
  isUsualFilter: true,
};

function parseOption(text: string, field: FieldOf<'select'>): string | number | undefined {
  return field.options.find((option) => String(option.value) === text.trim())?.value;
}

export const selectSheet: SheetType<FieldOf<'select'>> = {
  fromCell: (text, field) =>
    field.options.find(({ label }) => label.toLowerCase() === text.toLowerCase())?.value ?? parseOption(text, field),
  choices: (field) => field.options.map(({ label }) => label),
};
