import { labelOf } from '../../../src/engine/definitions/labels';
import { systemFields } from '../../../src/engine/definitions/system-fields';
import { typeKeys, type TypeKey } from '../../../src/engine/studio/type-keys';
import { useDraft } from '../draft';
import { wholeField } from '../fields/entries';
import { FieldConditions } from './FieldConditions';
import { FieldSwitches } from './FieldSwitches';
import { KeyInput } from './KeyInput';
import { KeyName } from './KeyName';
import { More } from './More';
import { PlaceErrors } from './PlaceErrors';
import { Snippet } from './Snippet';
import { TextAt } from './TextAt';
import { TypeChoice } from './TypeChoice';

/** Keys that have their own place in the panel. */
const placed = new Set<string>(['type', 'label', 'required', 'readOnly', 'visible', 'choices']);
/** Rarely used keys, shown last. */
const last: readonly string[] = ['default', 'unique', 'pattern', 'patternMessage'];
/** Inputs that take a full row. */
const broad = new Set<TypeKey['input']>([
  'switch',
  'options',
  'computed',
  'inverse',
  'targetFields',
  'inverseFields',
  'sharedFields',
]);

/** The properties of a field. */
export function FieldProperties({ name }: { name: string }) {
  const { source } = useDraft();
  const field = wholeField(source, name);
  const isSystem = Object.hasOwn(systemFields(source), name);
  const keys = typeKeys(field.type ?? 'text').filter(({ key }) => !placed.has(key));
  const own = keys
    .filter(({ group }) => group === 'field' || group === 'relation' || group === 'value')
    .toSorted((one, other) => last.indexOf(one.key) - last.indexOf(other.key));
  const looks = keys.filter((key) => !own.includes(key));
  const inputs = (parts: readonly TypeKey[]) =>
    parts.map((part) => <KeyInput key={part.key} {...{ name, field, part }} />);
  return (
    <>
      <PlaceErrors place={`/fields/${name}`} />
      <div className="studio-pair">
        <KeyName key={name} name={name} />
        <TypeChoice name={name} />
        <TextAt at={`/fields/${name}/label`} label="Label" usual={field.label ?? labelOf(name)} brief />
        {inputs(own.filter(({ input }) => !broad.has(input)))}
      </div>
      {inputs(own.filter(({ input }) => broad.has(input)))}
      <hr />
      <FieldSwitches name={name} field={field} />
      <hr />
      {!isSystem && <FieldConditions name={name} field={field} />}
      <More>
        <div className="studio-pair">{inputs(looks.filter(({ input }) => !broad.has(input)))}</div>
        {inputs(looks.filter(({ input }) => broad.has(input)))}
      </More>
      <Snippet name={name} value={source.fields[name]} />
    </>
  );
}
