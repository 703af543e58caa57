import type { RequestSource } from '../../../../engine/language/source';
import { variablesFor } from '../../../../engine/studio/condition-operators';
import { renameRequest, withFixedValues } from '../../../../engine/studio/request-edits';
import { useDefinitions } from '../../../data/DefinitionsContext';
import { useDraftPart, useDraftStore } from '../../draft';
import { draftErrors } from '../../draftPlaces';
import { ChoiceInput, MultiChoiceProperty } from '../../properties/ChoiceProperty';
import { MoreProperties } from '../../properties/MoreProperties';
import { NameInput } from '../../properties/NameInput';
import { PartForm } from '../../properties/PartForm';
import { PlaceErrors } from '../../properties/PlaceErrors';
import { TextProperty } from '../../properties/TextProperty';
import { namePattern } from '../../properties/NewName';
import { fieldOptions, isInForms } from '../../properties/fieldOptions';
import { useDraftValue } from '../../properties/useDraftValue';
import { settableFields } from '../automations/paths';
import { ValuesEditor } from '../automations/ValuesEditor';
import * as styles from '../../properties/properties.module.css';

/** The inputs of a request. */
export function RequestInputs({ name }: { name: string }) {
  const pointer = `/requests/${name}`;
  return (
    <>
      <PlaceErrors pointer={pointer} />
      <div className={styles.studioPair}>
        <TextProperty pointer={`${pointer}/label`} label="Label" />
        <RequestName key={name} name={name} />
      </div>
      <PartForm pointer={pointer} keys={['icon']} />
      <Sets pointer={pointer} />
      <PartForm pointer={pointer} keys={['adds', 'where', 'roles', 'levels', 'confirm', 'toast']} />
      <MoreProperties>
        <PartForm pointer={pointer} keys={['title', 'path', 'visible', 'list', 'ignoredNames', 'width']} />
      </MoreProperties>
    </>
  );
}

/** The name of a request; row actions, menus and the board follow when it is changed. */
function RequestName({ name }: { name: string }) {
  const store = useDraftStore();
  const problemOf = (next: string) => {
    if (!namePattern.expression.test(next)) return namePattern.message;
    const isTaken = Object.hasOwn(store.get().source.requests ?? {}, next);
    return isTaken ? 'Another request has this name.' : undefined;
  };
  const rename = (next: string) => store.get().edit((now) => renameRequest(now, name, next));
  return <NameInput label="Name" {...{ name, problemOf }} onRename={rename} />;
}

const changes = [
  { value: 'asked', label: 'Fields that a form asks for' },
  { value: 'fixed', label: 'Fields to fixed values, with one click' },
];

/** The changes of a request on the record: values that its form asks for, or fixed ones. */
function Sets({ pointer }: { pointer: string }) {
  const { value, set } = useDraftValue(pointer);
  const { registry } = useDefinitions();
  const request = (value ?? {}) as RequestSource;
  const { source, errors } = useDraftPart((draft) => ({
    source: draft.source,
    errors: draftErrors(draft).filter(({ path }) => path.startsWith(`${pointer}/sets/`)),
  }));
  const { sets } = request;
  const isFixed = sets !== undefined && !Array.isArray(sets);
  const writable = fieldOptions(source, (field, name) => isInForms(field) && !field.readOnly && name in source.fields);
  const requestedFields = [...(isFixed ? (request.asks ?? []) : (sets ?? [])), ...(request.adds?.fields ?? [])];
  return (
    <>
      <ChoiceInput
        label="Changes"
        options={changes}
        value={isFixed ? 'fixed' : 'asked'}
        onChoose={(mode) => set(withFixedValues(request, mode === 'fixed'))}
      />
      {isFixed ? (
        <>
          <ValuesEditor
            label="Fixed values"
            add="Add a fixed value"
            emptyText="Choose a field to set."
            values={sets}
            fields={settableFields(source.name, source, registry)}
            variablesOf={({ field }) => [
              { value: null, words: 'empty' },
              ...variablesFor(field.type ?? 'text', field.to),
            ]}
            errorOf={(name) => errors.find(({ path }) => path === `${pointer}/sets/${name}`)?.message}
            onChange={(next) => set({ ...request, sets: next })}
          />
          <MultiChoiceProperty
            pointer={`${pointer}/asks`}
            label="Asks for, besides"
            options={writable}
            placeholder="Nothing"
          />
        </>
      ) : (
        <MultiChoiceProperty pointer={`${pointer}/sets`} label="Fields" options={writable} placeholder="None" />
      )}
      {requestedFields.length > 0 && !isFixed && (
        <MultiChoiceProperty
          pointer={`${pointer}/required`}
          label="Required"
          options={requestedFields.map((name) => ({
            value: name,
            label: writable.find((option) => option.value === name)?.label ?? name,
          }))}
          placeholder="None"
        />
      )}
    </>
  );
}
