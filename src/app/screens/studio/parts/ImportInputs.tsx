import { writtenTypeOf } from '../../../../engine/field-types';
import type { AnyFieldSource, Source } from '../../../../engine/definitions/source';
import { labelOf } from '../../../../engine/definitions/labels';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import type { Subject } from '../conditions/subjects';
import { useDraftPart } from '../draft';
import { ChoiceInput } from '../properties/ChoiceProperty';
import { allFields, fieldOptions } from '../properties/fieldOptions';
import { optionsOf } from '../properties/optionSources';
import { useDraftValue } from '../properties/useDraftValue';
import { settableFields } from './automations/paths';
import { ValuesEditor } from './automations/ValuesEditor';

/** The values of records that an import makes: fixed ones, or fields of the imported record. */
export function CreatedValues({ at, label, entry }: { at: string; label: string; entry: string }) {
  const { registry } = useDefinitions();
  const { value, set, error } = useDraftValue(at);
  const { source, to } = useDraftPart((draft) => ({
    source: draft.source,
    to: draft.source.fields[at.split('/').at(-1)!]?.to,
  }));
  const fields = settableFields(to, source, registry).filter(({ field: one }) => canBeGiven(one));
  return (
    <ValuesEditor
      label={label}
      add={`Add a value of ${entry}`}
      none="Its name, which becomes the title."
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
  const { holds } = writtenTypeOf(field);
  return Object.entries(allFields(source))
    .filter(([name, own]) => name in source.fields && writtenTypeOf(own).holds === holds && own.to === field.to)
    .map(([name, { label = labelOf(name) }]) => ({ value: `$form.${name}`, words: `${label} of the imported record` }));
}

/** The field that a column of a program fills. */
export function ToolColumn({ at, label }: { at: string; label: string }) {
  const { registry } = useDefinitions();
  const { value, set, error } = useDraftValue(at);
  const ways = useDraftPart(({ source }) => [
    ...fieldOptions(source, (_, name) => name !== 'id'),
    ...optionsOf(undefined, 'rowColumns', { source, registry, part: {} }),
  ]);
  return (
    <ChoiceInput
      {...{ label, error, ways }}
      none="Nothing: the column is left out"
      chosen={typeof value === 'string' ? value : ''}
      onChoose={(chosen) => set(chosen === '' ? null : chosen)}
    />
  );
}
