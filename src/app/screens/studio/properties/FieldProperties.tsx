import { memo, useMemo, useState } from 'react';
import { labelOf } from '../../../../engine/definitions/labels';
import { systemFields } from '../../../../engine/definitions/system-fields';
import { fieldKeyOptions, type FieldKeyOption } from '../../../../engine/studio/type-keys';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { FieldConditions } from './FieldConditions';
import { FieldSwitches, type BegunCondition } from './FieldSwitches';
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
  'columns',
  'transitions',
  'path',
  'inverseCondition',
  'computed',
  'inverse',
  'targetFields',
  'inverseFields',
  'sharedFields',
]);

/** The properties of a field. */
export const FieldProperties = memo(function FieldProperties({ name }: { name: string }) {
  const { type, isSystem, label } = useDraftPart(({ source }) => {
    const system = systemFields(source)[name];
    const { type = 'text' } = completeField(source, name);
    return { type, isSystem: system !== undefined, label: system?.label ?? labelOf(name) };
  });
  // A condition that has no row yet: it is stored with its first.
  const [begun, setBegun] = useState<BegunCondition>(null);
  // The same objects for as long as the type is: their inputs render on their own.
  const keys = useMemo(() => fieldKeyOptions(type).filter(({ key }) => !keysPlacedElsewhere.has(key)), [type]);
  const own = keys
    .filter(({ group }) => group === 'field' || group === 'relation' || group === 'value')
    .toSorted((one, other) => rareKeys.indexOf(one.key) - rareKeys.indexOf(other.key));
  const looks = keys.filter((key) => !own.includes(key));
  const inputs = (parts: readonly FieldKeyOption[]) =>
    parts.map((part) => <KeyInput key={part.key} {...{ name, part }} />);
  return (
    <>
      <PlaceErrors place={`/fields/${name}`} />
      <div className={styles.studioPair}>
        <KeyName key={name} name={name} />
        <TypeSelect name={name} />
        <TextProperty at={`/fields/${name}/label`} label="Label" usual={label} brief />
        {inputs(own.filter(({ input }) => !fullRowInputs.has(input)))}
      </div>
      {inputs(own.filter(({ input }) => fullRowInputs.has(input)))}
      <hr />
      <FieldSwitches name={name} begun={begun} onBegin={setBegun} />
      <hr />
      {!isSystem && <FieldConditions name={name} begun={begun} onBegin={setBegun} />}
      <MoreProperties>
        <div className={styles.studioPair}>{inputs(looks.filter(({ input }) => !fullRowInputs.has(input)))}</div>
        {inputs(looks.filter(({ input }) => fullRowInputs.has(input)))}
      </MoreProperties>
      <FieldJson name={name} />
    </>
  );
});

function FieldJson({ name }: { name: string }) {
  const value = useDraftPart(({ source }) => source.fields[name]);
  return <JsonSnippet name={name} value={value} />;
}
