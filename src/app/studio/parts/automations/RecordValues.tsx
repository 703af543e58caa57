import { normalise } from '../../../../engine/normalise/normalise';
import type { Source } from '../../../../engine/language/source';
import { isJsonObject, parsePointer, valueAtPath } from '../../../../engine/formats/json';
import { useDefinitions } from '../../../data/DefinitionsContext';
import type { VariableOption } from '../../conditions/conditionValueProps';
import type { Subject } from '../../conditions/subjects';
import { useDraftPart } from '../../draft';
import { draftErrors, isWithin } from '../../draftPlaces';
import { PlaceErrors } from '../../properties/PlaceErrors';
import { useDraftValue, type SpecialInputProps } from '../../properties/useDraftValue';
import { settableFields, valueVariables } from './paths';
import { ValuesEditor } from './ValuesEditor';

/** Values that can be chosen for a field, of a definition and a part of it. */
type Variables = (
  subject: Subject,
  source: Source,
  part: Readonly<Record<string, unknown>>,
) => readonly VariableOption[];

/** The values that a step gives fields: of the record itself, or of the one that it creates. */
export function StepValues(props: SpecialInputProps) {
  return <RecordValues {...props} variablesOf={stepVariables} />;
}

/** Values of a new record that cannot be changed. */
export function FixedValues(props: SpecialInputProps) {
  return <RecordValues {...props} variablesOf={theRecord} />;
}

/** Values that the form of a new record begins with. */
export function InitialValues(props: SpecialInputProps) {
  return <RecordValues {...props} variablesOf={theRecordAndItsFields} />;
}

const stepVariables: Variables = ({ field }, source, { forEach }) =>
  valueVariables(field, source, typeof forEach === 'string' ? forEach : undefined);

const theRecord: Variables = ({ field }, source) =>
  field.to === source.name ? [{ value: '$record.id', words: `the ${source.labels.one.toLowerCase()}` }] : [];

const theRecordAndItsFields: Variables = (subject, source, part) => [
  ...theRecord(subject, source, part),
  ...Object.values(normalise(source).fields)
    .filter(({ inverse, type, to: target }) => !inverse && type === subject.field.type && target === subject.field.to)
    .map(({ name, label }) => ({
      value: `$record.${name}`,
      words: `${label} of the ${source.labels.one.toLowerCase()}`,
    })),
];

/** The values of fields: of the definition, or of the resource that a key beside them names. */
function RecordValues({
  pointer,
  label,
  placeholder = '',
  description,
  isRequired,
  variablesOf,
}: SpecialInputProps & { variablesOf: Variables }) {
  const { registry } = useDefinitions();
  const { value, set, hint } = useDraftValue(pointer);
  const { source, errors } = useDraftPart((draft) => ({
    source: draft.source,
    errors: draftErrors(draft).filter(({ path }) => path.startsWith(`${pointer}/`)),
  }));
  const holder = valueAtPath(source, parsePointer(pointer).slice(0, -1));
  const part = isJsonObject(holder) ? holder : {};
  const resourceKey = description.names.reference?.in;
  const resource = resourceKey === undefined ? source.name : String(part[resourceKey]);
  return (
    <>
      <PlaceErrors pointer={pointer} />
      <ValuesEditor
        {...{ label, hint }}
        add={description.words.add ?? label}
        emptyText={placeholder}
        values={isJsonObject(value) ? value : {}}
        fields={settableFields(resource, source, registry)}
        variablesOf={(subject) => variablesOf(subject, source, part)}
        errorOf={(name) => errors.find(({ path }) => isWithin(path, `${pointer}/${name}`))?.message}
        onChange={(next) => set(Object.keys(next).length === 0 && !isRequired ? undefined : next)}
      />
    </>
  );
}
