import type { Definition, Field, FieldTypeName, ResourceRecord } from '../../../engine/definitions/definition';
import type { FilterInput } from '../../../engine/lists/filter-inputs';
import { textFilter, textOfFilter } from '../../../engine/lists/filter-text';
import { fieldComponents } from '../../fields';
import { useFilterChoices } from './useFilterChoices';
import { useFilterTitles } from './useFilterTitles';

interface ValueInputProps {
  id: string;
  definition: Definition;
  input: FilterInput;
  /** One value, or a list where the input takes many. */
  value: unknown;
  /** The other values of the form, which may limit the choices. */
  values: Readonly<ResourceRecord>;
  /** Offers the choices of the form's field instead of all records that the user may list. */
  asInForm?: boolean;
  placeholder?: string;
  onChange: (value: unknown) => void;
}

/** The field input for a filter's kind. Nothing chosen is undefined; a single value is not wrapped in a list. */
export function ValueInput(props: ValueInputProps) {
  const { id, definition, input, value, values, asInForm = false, placeholder = 'Any', onChange } = props;
  const type = fieldTypeFor(input);
  const { Input } = fieldComponents[type];
  const ids = input.kind === 'records' ? toList(value).map(Number) : [];
  const { titles } = useFilterTitles(input, ids, []);
  const offer = useFilterChoices(definition, input, values, asInForm);
  const choices = { ...offer, known: offer.known ?? [...titles].map(([one, title]) => ({ id: one, title })) };
  const shared = { id, field: fieldFor(input, type, placeholder), choices };
  if (type === 'relations') {
    return <Input {...shared} value={toList(value)} onChange={(next) => onChange(fromList(next as unknown[]))} />;
  }
  if (input.kind === 'flag') {
    const text = value === undefined || value === null ? undefined : String(value);
    return (
      <Input {...shared} value={text} onChange={(next) => onChange(next === undefined ? undefined : next === 'true')} />
    );
  }
  const change = (next: unknown) => {
    if (next === '' || next === undefined || next === null) return onChange(undefined);
    onChange(
      input.kind === 'text' && input.field && input.keys.length === 1 && !asInForm
        ? textFilter(input.field, String(next))
        : next,
    );
  };
  return <Input {...shared} value={textOfFilter(value)} onChange={change} />;
}

function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function fromList(list: readonly unknown[]): unknown {
  return list.length > 1 ? list : list[0];
}

function fieldTypeFor({ kind, many }: FilterInput): FieldTypeName {
  switch (kind) {
    case 'records':
      return many ? 'relations' : 'relation';
    case 'options':
      return many ? 'relations' : 'select';
    case 'flag':
      return 'select';
    default:
      return kind;
  }
}

/** A field for the input, without validation rules: nothing is stored here. */
function fieldFor({ name, label, field }: FilterInput, type: FieldTypeName, placeholder: string): Field {
  const { integer = false, digits } = field ?? {};
  const text = type === 'text' || type === 'number' || type === 'date';
  return { name, label, type, integer, digits, ...(!text && { placeholder }) } as Field;
}
