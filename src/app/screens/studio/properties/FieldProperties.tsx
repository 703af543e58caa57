import { labelOf } from '../../../../engine/definitions/labels';
import { systemFields } from '../../../../engine/definitions/system-fields';
import { fieldKeyOptions, type FieldKeyOption } from '../../../../engine/studio/type-keys';
import { useDraft } from '../draft';
import { completeField } from '../fields/entries';
import { FieldConditions } from './FieldConditions';
import { FieldSwitches } from './FieldSwitches';
import { KeyInput } from './KeyInput';
import { KeyName } from './KeyName';
import { MoreProperties } from './MoreProperties';
import { PlaceErrors } from './PlaceErrors';
import { JsonSnippet } from './JsonSnippet';
import { TextProperty } from './TextProperty';
import { TypeSelect } from './TypeSelect';
import * as styles from './properties.module.css';

/** Keys that have their own place in the panel. */
const keysPlacedElsewhere = new Set<string>(['type', 'label', 'required', 'readOnly', 'visible', 'choices']);
/** Rarely used keys, shown last. */
const rareKeys: readonly string[] = ['default', 'initial', 'transitions', 'unique', 'pattern', 'patternMessage'];
/** Inputs that take a full row. */
const fullRowInputs = new Set<FieldKeyOption['input']>([
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
  const field = completeField(source, name);
  const isSystem = Object.hasOwn(systemFields(source), name);
  const keys = fieldKeyOptions(field.type ?? 'text').filter(({ key }) => !keysPlacedElsewhere.has(key));
  const own = keys
    .filter(({ group }) => group === 'field' || group === 'relation' || group === 'value')
    .toSorted((one, other) => rareKeys.indexOf(one.key) - rareKeys.indexOf(other.key));
  const looks = keys.filter((key) => !own.includes(key));
  const inputs = (parts: readonly FieldKeyOption[]) =>
    parts.map((part) => <KeyInput key={part.key} {...{ name, field, part }} />);
  return (
    <>
      <PlaceErrors place={`/fields/${name}`} />
      <div className={styles.studioPair}>
        <KeyName key={name} name={name} />
        <TypeSelect name={name} />
        <TextProperty at={`/fields/${name}/label`} label="Label" usual={field.label ?? labelOf(name)} brief />
        {inputs(own.filter(({ input }) => !fullRowInputs.has(input)))}
      </div>
      {inputs(own.filter(({ input }) => fullRowInputs.has(input)))}
      <hr />
      <FieldSwitches name={name} field={field} />
      <hr />
      {!isSystem && <FieldConditions name={name} field={field} />}
      <MoreProperties>
        <div className={styles.studioPair}>{inputs(looks.filter(({ input }) => !fullRowInputs.has(input)))}</div>
        {inputs(looks.filter(({ input }) => fullRowInputs.has(input)))}
      </MoreProperties>
      <JsonSnippet name={name} value={source.fields[name]} />
    </>
  );
}
