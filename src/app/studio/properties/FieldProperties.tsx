import { memo, useMemo, useState } from 'react';
import { labelOf } from '../../../engine/definitions/labels';
import type { FieldTypeName } from '../../../engine/definitions/definition';
import { systemFields } from '../../../engine/normalise/system-fields';
import { fieldTypes } from '../../../engine/field-types';
import { fieldKeyOptions } from '../../../engine/studio/type-keys';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { ColumnsProperty } from './ColumnsProperty';
import { ComputedProperty } from './ComputedProperty';
import { DefaultProperty } from './DefaultProperty';
import { FieldConditions } from './FieldConditions';
import { FieldSwitches, type BegunCondition } from './FieldSwitches';
import { InitialProperty } from './InitialProperty';
import { KeyName } from './KeyName';
import { PartForm } from './PartForm';
import { PlaceErrors } from './PlaceErrors';
import { JsonSnippet } from './JsonSnippet';
import { TransitionsProperty } from './TransitionsProperty';
import { TypeSelect } from './TypeSelect';
import * as styles from './properties.module.css';

/** Keys that have their own place in the panel. */
const keysPlacedElsewhere = new Set<string>(['type', 'required', 'readOnly', 'visible', 'choices']);
/** Keys that are shown after the others. */
const lastKeys: readonly string[] = ['default', 'initial', 'transitions', 'unique', 'pattern', 'patternMessage'];
/** Inputs that were made for keys of fields. */
const inputs = {
  computed: ComputedProperty,
  default: DefaultProperty,
  fields: ColumnsProperty,
  initial: InitialProperty,
  transitions: TransitionsProperty,
};

/** The properties of a field. */
export const FieldProperties = memo(function FieldProperties({ name }: { name: string }) {
  const pointer = `/fields/${name}`;
  const { type, isSystem, label } = useDraftPart(({ source }) => {
    const system = systemFields(source)[name];
    const { type = 'text' } = completeField(source, name);
    return { type, isSystem: system !== undefined, label: system?.label ?? labelOf(name) };
  });
  // A condition that has no row yet: it is stored with its first.
  const [newCondition, setNewCondition] = useState<BegunCondition>(null);
  // The same objects for as long as the type is: their inputs render on their own.
  const { keys, rareKeys } = useMemo(() => {
    const options = fieldKeyOptions(type)
      .filter(({ key }) => !keysPlacedElsewhere.has(key))
      .toSorted((first, second) => lastKeys.indexOf(first.key) - lastKeys.indexOf(second.key));
    const isRare = ({ description }: (typeof options)[number]) => description.words.rare === true;
    return {
      keys: options.filter((option) => !isRare(option)).map(({ key }) => key),
      rareKeys: options.filter(isRare).map(({ key }) => key),
    };
  }, [type]);
  return (
    <>
      <PlaceErrors pointer={pointer} />
      <div className={styles.studioPair}>
        <KeyName key={name} name={name} />
        <TypeSelect name={name} />
      </div>
      <PartForm pointer={pointer} keys={keys} inputs={inputs} fallbacks={{ label }} />
      <hr />
      <FieldSwitches name={name} newCondition={newCondition} onBegin={setNewCondition} />
      <hr />
      {!isSystem && <FieldConditions name={name} newCondition={newCondition} onBegin={setNewCondition} />}
      <PartForm pointer={pointer} keys={rareKeys} fallbacks={defaultsOf(type)} />
      <FieldJson name={name} />
    </>
  );
});

/** Whether switches of a field are on where it does not say so, by its type. */
function defaultsOf(type: FieldTypeName) {
  const { searchable, sortable, filterable, isHashed = false } = fieldTypes[type];
  return { searchable, sortable, filterable, secret: isHashed };
}

function FieldJson({ name }: { name: string }) {
  const value = useDraftPart(({ source }) => source.fields[name]);
  return <JsonSnippet name={name} value={value} />;
}
