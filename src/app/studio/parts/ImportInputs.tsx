import { writtenTypeOf } from '../../../engine/field-types';
import type { AnyFieldSource, Source } from '../../../engine/language/source';
import { labelOf } from '../../../engine/definitions/labels';
import { lastOf } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { Subject } from '../conditions/subjects';
import { useDraftPart } from '../draft';
import { ChoiceInput } from '../properties/ChoiceProperty';
import { allFields, fieldOptions } from '../properties/fieldOptions';
import { optionsOf } from '../properties/optionSources';
import { useDraftValue } from '../properties/useDraftValue';
import { settableFields } from './automations/paths';
import { ValuesEditor } from './automations/ValuesEditor';

/** The values of records that an import makes: fixed ones, or fields of the imported record. */
export function CreatedValues({ pointer, label, entry }: { pointer: string; label: string; entry: string }) {
  const { registry } = useDefinitions();
  const { value, set, error } = useDraftValue(pointer);
  const { source, to: target } = useDraftPart((draft) => ({
    source: draft.source,
    to: draft.source.fields[lastOf(pointer.split('/'))]?.to,
  }));
  const fields = settableFields(target, source, registry).filter(({ field: candidate }) => canBeGiven(candidate));
  return (
    <ValuesEditor
      label={label}
      add={`Add a value of ${entry}`}
      emptyText="Its name, which becomes the title."
      values={(value ?? {}) as Readonly<Record<string, unknown>>}
      variablesOf={(subject) => ofTheImported(subject, source)}
      onChange={set}
      {...{ fields, error }}
    />
  );
}

const canBeGiven = (field: AnyFieldSource) =>
  ['text', 'number', 'boolean', 'record'].includes(writtenTypeOf(field).holds);

/** The fields of the imported record that can stand for a value of the record that is made for it. */
function ofTheImported({ field }: Subject, source: Source) {
  const { holds: valueKind } = writtenTypeOf(field);
  return Object.entries(allFields(source))
    .filter(
      ([name, ownField]) =>
        name in source.fields && writtenTypeOf(ownField).holds === valueKind && ownField.to === field.to,
    )
    .map(([name, { label = labelOf(name) }]) => ({ value: `$form.${name}`, words: `${label} of the imported record` }));
}

/** The field that a column of a program fills. */
export function ToolColumn({ pointer, label }: { pointer: string; label: string }) {
  const { registry } = useDefinitions();
  const { value, set, error } = useDraftValue(pointer);
  const options = useDraftPart(({ source }) => [
    ...fieldOptions(source, (_, name) => name !== 'id'),
    ...optionsOf(undefined, 'rowColumns', { source, registry, part: {} }),
  ]);
  return (
    <ChoiceInput
      {...{ label, error, options }}
      emptyText="Nothing: the column is left out"
      value={typeof value === 'string' ? value : ''}
      onChoose={(column) => set(column === '' ? null : column)}
    />
  );
}
