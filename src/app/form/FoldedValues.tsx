import type { Field, ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { isRelation } from '../../engine/field-types/relation';
import { isEmpty } from '../../engine/values/is-empty';
import { useFormContext } from './FormContext';
import type { FormTitles } from './useFormTitles';

interface FoldedValuesProps {
  fields: readonly Field[];
  values: ResourceRecord;
}

/** The values that a folded section holds, `Result: Not run · Assigned To: Ana`; without any value, the names of its fields. */
export default function FoldedValues({ fields, values }: FoldedValuesProps) {
  const { titles } = useFormContext();
  const texts = fields.flatMap((field) => {
    const text = textOf(field, values, titles);
    return text === undefined ? [] : [`${field.label}: ${text}`];
  });
  return texts.length > 0 ? texts.join(' · ') : fields.map(({ label }) => label).join(', ');
}

/** The value of a field in words; undefined: it has none, or the title of its record is not known. */
function textOf(field: Field, values: ResourceRecord, titles: FormTitles): string | undefined {
  const value = values[field.name];
  if (isEmpty(value)) return field.emptyText;
  if (field.to !== undefined) return isRelation(field) ? titles.titleOf(field, value) : undefined;
  const type = fieldTypeOf(field);
  return (type.toPlainText?.(value) ?? type.toText(value, field, values)) || undefined;
}
