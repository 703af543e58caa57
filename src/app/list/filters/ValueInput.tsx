import type { Definition, Field, FieldTypeName, ResourceRecord } from '../../../engine/definitions/definition';
import type { FilterInput, FilterKind } from '../../../engine/lists/filter-inputs';
import { textFilter, textOfFilter } from '../../../engine/lists/filter-text';
import type { ChoiceSource } from '../../fields/choices/choice';
import { FieldInput } from '../../fields/inputs';
import { useFilterChoices } from './useFilterChoices';
import { useFilterTitles } from './useFilterTitles';
import { useId, type ReactNode } from 'react';
import * as styles from './filters.module.css';

interface ValueInputProps {
  id: string;
  definition: Definition;
  input: FilterInput;
  /** One value, or a list where the input takes many. */
  value: unknown;
  /** The other values of the form, which may limit the choices. */
  values: Readonly<ResourceRecord>;
  /** Choices of a value to store, instead of those to filter by. */
  choices?: ChoiceSource;
  placeholder?: string;
  /** The value is stored, not filtered by. */
  isStored?: boolean;
  onChange: (value: unknown) => void;
}

/** The type whose input each kind of filter has. */
const inputTypes: Readonly<Record<FilterKind, FieldTypeName>> = {
  records: 'relation',
  options: 'select',
  flag: 'select',
  date: 'date',
  time: 'time',
  number: 'number',
  text: 'text',
};

/** Kinds whose inputs show a format, or nothing, instead of the placeholder. */
const withoutPlaceholder: ReadonlySet<FilterKind> = new Set(['text', 'number', 'date']);

/** The field input for a filter's kind. Nothing chosen is undefined; a single value is not wrapped in a list. */
export function ValueInput(props: ValueInputProps) {
  const { id, definition, input, value, values, placeholder = 'Any', isStored, onChange } = props;
  const { kind } = input;
  const ids = kind === 'records' ? toList(value).map(Number) : [];
  const { titles } = useFilterTitles(input, ids, []);
  const listedChoices = useFilterChoices(definition, input, values);
  const offer = props.choices ?? listedChoices;
  const choices = {
    ...offer,
    knownChoices: offer.knownChoices ?? [...titles].map(([recordId, title]) => ({ id: recordId, title })),
  };
  // The quick filter and addresses set several values of any of these.
  if ((input.many || Array.isArray(value)) && (kind === 'records' || kind === 'options')) {
    const field = fieldFor(input, 'relations', placeholder);
    const change = (next: unknown) => onChange(fromList(next as unknown[]));
    return <FieldInput {...{ id, field, choices }} value={toList(value)} onChange={change} />;
  }
  const inputProps = { id, field: fieldFor(input, inputTypes[kind], placeholder), choices };
  if (kind === 'flag') {
    const text = value === undefined || value === null ? undefined : String(value);
    const change = (next: unknown) => onChange(next === undefined ? undefined : next === 'true');
    return <FieldInput {...inputProps} value={text} onChange={change} />;
  }
  const change = (next: unknown) => {
    if (next === '' || next === undefined || next === null) return onChange(undefined);
    onChange(
      kind === 'text' && input.field && input.keys.length === 1 && !isStored
        ? textFilter(input.field, String(next))
        : next,
    );
  };
  return <FieldInput {...inputProps} value={textOfFilter(value)} onChange={change} />;
}

function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function fromList(list: readonly unknown[]): unknown {
  return list.length > 1 ? list : list[0];
}

/** A field for the input, without validation rules: nothing is stored here. */
function fieldFor({ name, label, kind, field }: FilterInput, type: FieldTypeName, placeholder: string): Field {
  const { integer = false, digits, isMinutes } = field ?? {};
  return {
    name,
    label,
    type,
    integer,
    digits,
    ...(isMinutes && { isMinutes }),
    ...(!withoutPlaceholder.has(kind) && { placeholder }),
  } as Field;
}

interface LabelledInputProps {
  label: string;
  /** Muted text at the end of the label. */
  note?: ReactNode;
  children: (id: string) => ReactNode;
}

/** An input below its label. */
export function LabelledInput({ label, note, children }: LabelledInputProps) {
  const id = useId();
  return (
    <div className={styles.labelled}>
      <div className={styles.labelledHead}>
        <label id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
        <span className={styles.labelledNote}>{note}</span>
      </div>
      {children(id)}
    </div>
  );
}
