import { memo, useMemo, useState, type ReactNode } from 'react';
import { labelOf } from '../../../engine/definitions/labels';
import type { FieldTypeName } from '../../../engine/definitions/definition';
import { systemFields } from '../../../engine/normalise/system-fields';
import { fieldTypes, typeNamesWhere } from '../../../engine/field-types/index';
import { fieldKeyOptions } from '../../../engine/studio/type-keys';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { ColumnsProperty, ComputedProperty } from './ColumnsProperty';
import { DefaultProperty } from './DefaultProperty';
import { FieldConditions } from './FieldConditions';
import { FieldSwitches, type BegunCondition } from './FieldSwitches';
import { KeyName } from './KeyName';
import { PartForm } from './PartForm';
import { PlaceErrors } from './PlaceErrors';
import * as styles from './properties.module.css';
import { ChoiceProperty, ChoiceInput, MultiChoiceProperty } from './ChoiceProperty';
import { SuggestedProperty } from './SuggestedProperty';
import { useStateOptions } from './useStateOptions';
import { itemAt } from '../../../engine/values/lookups';
import { formatJson } from '../../../engine/studio/format-source';
import { typeLabel } from '../fields/TypeLabel';
import { changeType } from '../../../engine/studio/fields';
import { useDraftValue } from './useDraftValue';
import { ListProperty } from './ListProperty';

const readMany = (value: unknown) => [value ?? []].flat().map(String);

/** The changes of a field's value that are possible: from which to which, by whom, when, and what each needs. */
function TransitionsProperty({ pointer }: { pointer: string }) {
  const name = itemAt(pointer.split('/'), 2);
  const { options, free } = useStateOptions(name);
  const labelOf = (value: string) => options.find((option) => String(option.value) === value)?.label ?? value;
  const labelsOf = (value: unknown) => readMany(value).map(labelOf).join(', ');
  // One value is written as such, and a number stays one.
  const write = (texts: string[]) => {
    const values = texts.map((text) => options.find(({ value }) => String(value) === text)?.value ?? text);
    return values.length === 1 ? values[0] : values;
  };
  const [first, second = first] = options;
  const states = { options, free, read: readMany, write };
  return (
    <div className={styles.studioGroup}>
      <span className={styles.studioLabel}>Transitions</span>
      <PlaceErrors pointer={pointer} />
      <ListProperty
        pointer={pointer}
        label="Transitions"
        add="Add a transition"
        emptyText="Every change is possible"
        createEntry={() => ({ from: first?.value ?? '', to: second?.value ?? '' })}
        titleOf={({ label, from: source, to: target }) =>
          label === undefined ? `${labelsOf(source)} → ${labelsOf(target)}` : String(label)
        }
        noteOf={({ label, from: source, to: target }) =>
          label === undefined ? undefined : `${labelsOf(source)} → ${labelsOf(target)}`
        }
      >
        {(entryPointer) => (
          <>
            <PlaceErrors pointer={entryPointer} />
            <MultiChoiceProperty pointer={`${entryPointer}/from`} label="From" {...states} />
            <MultiChoiceProperty pointer={`${entryPointer}/to`} label="To" {...states} />
            <PartForm
              pointer={entryPointer}
              keys={['label', 'icon', 'effect', 'roles', 'levels', 'requiredFields', 'where']}
              fallbacks={{ label: free ? "The record's name" : 'That of the option' }}
            />
          </>
        )}
      </ListProperty>
    </div>
  );
}

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?|true|false|null)/g;

/** A part of the definition as read-only JSON. */
function JsonSnippet({ name, value }: { name: string; value: unknown }) {
  const text = `${JSON.stringify(name)}: ${formatJson(value)}`;
  return (
    <pre className={styles.studioCode} tabIndex={0} aria-label={`${name} as JSON`}>
      {highlight(text)}
    </pre>
  );
}

function highlight(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let position = 0;
  for (const match of text.matchAll(tokens)) {
    const [token, string, colon, literal] = match;
    parts.push(text.slice(position, match.index));
    if (literal !== undefined) parts.push(<em key={match.index}>{literal}</em>);
    else if (colon !== undefined) parts.push(<b key={match.index}>{string}</b>, colon);
    else parts.push(<i key={match.index}>{string}</i>);
    position = match.index + token.length;
  }
  return [...parts, text.slice(position)];
}

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

/** The state of new records: one of those that the field at a place can have. */
function InitialProperty({ pointer, label }: { pointer: string; label: string }) {
  const { options, free } = useStateOptions(itemAt(pointer.split('/'), 2));
  return free ? (
    <SuggestedProperty {...{ pointer, label }} options={options} />
  ) : (
    <ChoiceProperty {...{ pointer, label }} options={options} emptyText="Default" />
  );
}

/** The type of a field. The type of system fields is fixed. */
function TypeSelect({ name }: { name: string }) {
  const { system, edit } = useDraftPart(({ source, edit: change }) => ({
    system: systemFields(source)[name]?.type,
    edit: change,
  }));
  const { value, error } = useDraftValue(`/fields/${name}/type`);
  const names = typeNamesWhere(() => true);
  const type = system ?? value ?? 'text';
  return (
    <ChoiceInput
      label="Type"
      error={error}
      disabled={system !== undefined}
      options={names.map((typeName) => ({ value: typeName, label: typeLabel(typeName) }))}
      value={names.find((typeName) => typeName === type) ?? ''}
      onChoose={(next) => edit((now) => changeType(now, name, next as FieldTypeName).source)}
    />
  );
}
