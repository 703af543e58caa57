import Button from '@mui/material/Button';
import { Fragment, memo, useMemo, type ComponentType, type ReactNode } from 'react';
import type { Source } from '../../../engine/language/source';
import { labelOf } from '../../../engine/definitions/labels';
import type { PanelWords, PartKinds } from '../../../engine/language/key';
import { isJsonObject, parsePointer, valueAtPath } from '../../../engine/formats/json';
import { keysOfKind, keysOfKinds, kindOfPart, withKind } from '../../../engine/studio/part-kinds';
import { partAt, partKeysAt, withWords, type KeyDescription, type PartKey } from '../../../engine/studio/part-keys';
import { firstOf, itemAt, requireValue } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { columnSubjects, moduleSubjects } from '../conditions/subjects';
import { useDraft, useDraftPart, useDraftStore } from '../draft';
import { draftErrors, isWithin } from '../draftPlaces';
import { useRoleOptions } from '../parts/audience';
import { completeField } from '../fields/entries';
import { QueryProperty } from '../parts/QueryProperty';
import { AddMenu } from './AddMenu';
import { beginEntry, beginKind, beginPart } from './beginPart';
import { ChoiceInput, ChoiceProperty, MultiChoiceProperty, type Option } from './ChoiceProperty';
import { Hint } from './Hint';
import { ListProperty } from './ListProperty';
import { MapProperty } from './MapProperty';
import { MoreProperties } from './MoreProperties';
import { namePattern, NewName } from './NewName';
import { optionsOf, resourceOf, type OptionContext } from './optionSources';
import { PlaceErrors } from './PlaceErrors';
import { rolledUpColumns } from './relationOptions';
import { SortedList } from './SortedList';
import { useDraftValue, type SpecialInputProps } from './useDraftValue';
import { specialInputs } from './specialInputs';
import { SuggestedProperty } from './SuggestedProperty';
import { SwitchProperty, SwitchRow } from './SwitchProperty';
import { NumberProperty, TextProperty } from './TextProperty';
import { withValueAt } from './withValueAt';
import * as styles from './properties.module.css';

/** The value that holds without a key, where that depends on the definition: words, or whether a switch is on. */
type Fallbacks = Readonly<Record<string, string | boolean>>;

interface PartFormProps {
  /** JSON pointer of the part; empty: the definition itself. */
  pointer: string;
  /** Only these keys, in this order. Default: all that have an input, as they are described. */
  keys?: readonly string[];
  fallbacks?: Fallbacks;
  /** Inputs that were made for some of its keys. */
  inputs?: Readonly<Record<string, ComponentType<SpecialInputProps>>>;
}

/** The inputs of a part of the definition, from its description. */
export function PartForm({ pointer, keys, fallbacks, inputs }: PartFormProps) {
  const { registry } = useDefinitions();
  const {
    before: keysBefore,
    ofKind,
    after: keysAfter,
    kinds,
    kind,
  } = useDraftPart(({ source }) => {
    const steps = parsePointer(pointer);
    const context = { source, registry, part: valueOfPart(source, pointer) };
    const { keys: describedKeys, kinds: offeredKinds } = partAt(source, steps);
    const allKeys = keysWithInput(describedKeys, keys);
    const isShown = (key: PartKey) => isApplicable(key, context);
    const kindKeys: ReadonlySet<string> = offeredKinds ? keysOfKinds(offeredKinds) : new Set();
    const first = allKeys.findIndex(({ name }) => kindKeys.has(name));
    if (!offeredKinds || first < 0) return { before: allKeys.filter(isShown), ofKind: [], after: [] };
    const currentKind = kindOfPart(context.part, offeredKinds);
    const names = currentKind === undefined ? [] : keysOfKind(offeredKinds, currentKind);
    const commonKeys = allKeys.filter((key) => !kindKeys.has(key.name) && isShown(key));
    return {
      before: commonKeys.filter((key) => allKeys.indexOf(key) < first),
      ofKind: keysWithInput(allKeys, names).filter(isShown),
      after: commonKeys.filter((key) => allKeys.indexOf(key) > first),
      kinds: offeredKinds,
      kind: currentKind,
    };
  });
  const input = ({ name, isRequired, description }: PartKey) => (
    <KeyInput
      pointer={`${pointer}/${name}`}
      fallback={fallbacks?.[name]}
      input={inputs?.[name]}
      isRequired={isRequired || name === kind}
      description={description}
    />
  );
  const rareKeys = [...keysBefore, ...keysAfter].filter(isRare);
  return (
    <>
      <Rows keys={keysBefore.filter((key) => !isRare(key))} input={input} />
      {kinds && <KindInput {...{ pointer, kinds, kind }} />}
      <Rows keys={ofKind} input={input} />
      <Rows keys={keysAfter.filter((key) => !isRare(key))} input={input} />
      {rareKeys.length > 0 && (
        <MoreProperties>
          <Rows keys={rareKeys} input={input} />
        </MoreProperties>
      )}
    </>
  );
}

const isRare = ({ description }: PartKey) => description.words.rare === true;

/** The inputs of keys, short ones side by side. */
function Rows({ keys, input }: { keys: readonly PartKey[]; input: (key: PartKey) => ReactNode }) {
  return inRows(keys).map((row) => {
    const inputs = row.map((key) => <Fragment key={key.name}>{input(key)}</Fragment>);
    const { name } = firstOf(row);
    return row.length > 1 ? (
      <div key={name} className={styles.studioPair}>
        {inputs}
      </div>
    ) : (
      <Fragment key={name}>{inputs}</Fragment>
    );
  });
}

/** The kind of a part: what belonged to another one goes when it is chosen. */
function KindInput({ pointer, kinds, kind = '' }: { pointer: string; kinds: PartKinds; kind: string | undefined }) {
  const { registry } = useDefinitions();
  const store = useDraftStore();
  const choose = (next: string) =>
    store.get().edit((source) => {
      const steps = parsePointer(pointer);
      const keys = partKeysAt(source, steps);
      const initialPart = beginKind(keys, kinds, next, { source, registry });
      return withValueAt(source, steps, withKind(valueOfPart(source, pointer), kinds, next, initialPart, keys));
    });
  const kindOptions = Object.entries(kinds.by).map(([value, { label }]) => ({ value, label }));
  return <ChoiceInput label={kinds.label} options={kindOptions} value={kind} onChoose={choose} />;
}

const shortKinds: ReadonlySet<string> = new Set(['text', 'number', 'plain', 'choice']);
/** The most characters of a label above an input that is half as wide. */
const shortLabel = 22;

/** Whether an input is short enough to stand beside another one. */
function isShort({ description: { kind, words } }: PartKey): boolean {
  return shortKinds.has(kind) && words.input === undefined && !words.lines && (words.label ?? '').length <= shortLabel;
}

/** The keys in rows: short ones stand side by side. */
function inRows(keys: readonly PartKey[]): PartKey[][] {
  const rows: PartKey[][] = [];
  for (const key of keys) {
    const last = rows.at(-1);
    if (last && isShort(key) && isShort(firstOf(last))) last.push(key);
    else rows.push([key]);
  }
  return rows;
}

function keysWithInput(allKeys: readonly PartKey[], names: readonly string[] | undefined): readonly PartKey[] {
  if (names) return names.flatMap((name) => allKeys.find((key) => key.name === name) ?? []);
  return allKeys.filter(({ description: { words, kind, keys } }) =>
    words.label === undefined ? kind === 'part' && keysWithInput(keys, undefined).length > 0 : true,
  );
}

/** Whether a key has a value, or applies as its description says. */
function isApplicable({ name, description: { words } }: PartKey, context: OptionContext): boolean {
  const { part } = context;
  return (
    part[name] !== undefined ||
    Object.entries(words.applies ?? {}).every(([key, requirement]) => {
      if (typeof requirement === 'boolean') return (part[key] !== undefined) === requirement;
      if (typeof requirement !== 'string') return requirement.includes(part[key]);
      return optionsOf({ kind: 'field' }, requirement, context).some(({ value }) => value === part[key]);
    })
  );
}

function valueOfPart(source: Source, pointer: string): OptionContext['part'] {
  const [holder, name, ...deeperSteps] = parsePointer(pointer);
  if (holder === 'fields' && name !== undefined && deeperSteps.length === 0) return { ...completeField(source, name) };
  const value = valueAtPath(source, parsePointer(pointer));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as OptionContext['part']) : {};
}

const partAround = (source: Source, pointer: string) => valueOfPart(source, pointer.slice(0, pointer.lastIndexOf('/')));

interface KeyInputProps {
  /** JSON pointer of the key. */
  pointer: string;
  description: KeyDescription;
  isRequired?: boolean;
  fallback?: string | boolean;
  /** The input that was made for it. */
  input?: ComponentType<SpecialInputProps>;
  /** The name of the entry whose value this is. */
  entry?: string;
  /** Whether nothing of it is stored yet. */
  isNew?: boolean;
}

/** The input of a key, by its kind. */
const KeyInput = memo(function KeyInput(props: KeyInputProps) {
  const { pointer, description: keyDescription, isRequired = false, fallback, input, entry = '', isNew } = props;
  const description = useTypeWords(pointer, keyDescription);
  const { words, kind, fallback: describedFallback, usual: defaultValue, reference } = description;
  const label = (words.label ?? '').replace('{key}', entry);
  const placeholder = typeof fallback === 'string' ? fallback : describedFallback;
  const Special = input ?? (words.input === undefined ? undefined : specialInputs[words.input]);
  if (Special) return <Special {...{ pointer, label, placeholder, isRequired, entry, description }} />;
  switch (kind) {
    case 'text':
      return <TextProperty {...{ pointer, label, placeholder }} lines={words.lines} />;
    case 'number':
      return <NumberProperty {...{ pointer, label, placeholder }} />;
    case 'plain':
      return <PlainInput {...{ pointer, label, placeholder }} />;
    case 'flag':
      return (
        <SwitchProperty
          {...{ pointer, label }}
          defaultValue={typeof fallback === 'boolean' ? fallback : defaultValue === true}
        />
      );
    case 'choice':
      return <ChoiceOfKey {...{ pointer, label, placeholder, description, isRequired }} />;
    case 'choices':
    case 'oneOrMany':
      return reference?.kind === 'role' ? (
        <RolesInput {...{ pointer, label, placeholder }} />
      ) : (
        <ChoicesOfKey {...{ pointer, label, placeholder, description, isRequired }} />
      );
    case 'condition':
      return <ConditionOfKey {...{ pointer, label, description, isRequired, isNew }} />;
    case 'query':
      return <QueryOfKey {...{ pointer, label, placeholder, description, isRequired }} />;
    case 'part':
      return <PartInput {...{ pointer, label, description, isRequired }} />;
    case 'parts':
      return <PartList {...{ pointer, label, placeholder, description }} />;
    case 'lists':
      return <NameLists {...{ pointer, label, placeholder, description }} />;
    case 'record':
      return entryOf(description).kind === 'part' && !words.isOpen ? (
        <PartRecord {...{ pointer, label, placeholder, description }} />
      ) : (
        <RecordInput {...{ pointer, label, placeholder, description, isRequired, entry }} />
      );
    case 'other':
      return null;
  }
});

interface InputProps extends Pick<KeyInputProps, 'pointer' | 'description' | 'isRequired'> {
  label: string;
  placeholder?: string;
}

/** The description of a key, with what it says for fields of this type alone. */
function useTypeWords(pointer: string, description: KeyDescription): KeyDescription {
  const { byType } = description.words;
  const type = useDraftPart(({ source }) => (byType ? String(partAround(source, pointer).type) : ''));
  return useMemo(() => {
    const words = byType?.[type];
    return words ? withWords(description, words) : description;
  }, [description, byType, type]);
}

function PlainInput(props: { pointer: string; label: string; placeholder?: string }) {
  const { value } = useDraftValue(props.pointer);
  return typeof value === 'number' ? <NumberProperty {...props} /> : <TextProperty {...props} />;
}

/** The choices for a key or for its entries. */
function useOptions(pointer: string, { values, reference, words }: KeyDescription): readonly Option[] {
  const { registry } = useDefinitions();
  return useDraftPart(({ source }) => {
    const steps = parsePointer(pointer);
    const namedOptions = optionsOf(reference, words.options, {
      source,
      registry,
      steps,
      part: partAround(source, pointer),
    });
    return values ? valueOptions(values, words, namedOptions) : namedOptions;
  });
}

/** The values that a key takes, with their labels; where some have one, the others are not offered. */
function valueOptions(values: readonly unknown[], { labels }: PanelWords, namedOptions: readonly Option[]): Option[] {
  const offeredValues = labels ? values.filter((value) => Object.hasOwn(labels, String(value))) : values;
  return offeredValues.map((value) => {
    const label = labels?.[String(value)] ?? namedOptions.find((option) => option.value === String(value))?.label;
    return { value: value as Option['value'], label: label ?? String(value) };
  });
}

/** Names that others than those that are offered can be typed for. */
const typedNames: ReadonlySet<string> = new Set(['layouts', 'lookupPaths', 'mailPaths', 'pages', 'runAs']);

function ChoiceOfKey({ pointer, label, placeholder, description, isRequired }: InputProps) {
  const { words, values, reference } = description;
  const options = useOptions(pointer, description);
  if (words.options && typedNames.has(words.options))
    return <SuggestedProperty {...{ pointer, label, placeholder, options }} emptyValue={isRequired ? '' : undefined} />;
  return (
    <ChoiceProperty
      {...{ pointer, label, options }}
      emptyText={isRequired ? undefined : (placeholder ?? (values || reference?.in ? 'Default' : 'None'))}
    />
  );
}

/** The same for several names. */
const freeNames: ReadonlySet<string> = new Set(['fileKinds', 'layouts']);

const readMany = (value: unknown) => [value ?? []].flat().map(String);

function ChoicesOfKey({ pointer, label, placeholder, description, isRequired }: InputProps) {
  const { kind, values, reference, words } = description;
  const options = useOptions(pointer, description);
  const isFree = values === undefined && reference === undefined && (!words.options || freeNames.has(words.options));
  // The functions stay the same, so that the input is rendered again only if something of it has changed.
  const write = useMemo(
    () => (texts: string[]) => {
      const storedValues = texts.map((text) => values?.find((value) => String(value) === text) ?? text);
      if (storedValues.length === 0 && !isRequired) return undefined;
      return kind === 'oneOrMany' && storedValues.length === 1
        ? storedValues[0]
        : typeof storedValues[0] === 'number'
          ? storedValues.sort()
          : storedValues;
    },
    [kind, values, isRequired],
  );
  const empty = (isRequired ? undefined : placeholder) ?? (isFree ? 'Type and press Enter' : 'None');
  return (
    <MultiChoiceProperty {...{ pointer, label, options, write }} placeholder={empty} read={readMany} free={isFree} />
  );
}

/** Roles by name; others can be typed. */
function RolesInput(props: { pointer: string; label: string; placeholder?: string }) {
  return <MultiChoiceProperty {...props} options={useRoleOptions()} free />;
}

function ConditionOfKey({ pointer, label, description, isRequired, isNew }: InputProps & { isNew?: boolean }) {
  const { registry } = useDefinitions();
  const { reference } = description;
  const { resource, columns } = useDraftPart(({ source }) => ({
    resource: resourceOf(reference, { source, steps: parsePointer(pointer), part: partAround(source, pointer) }),
    columns: reference?.in === 'source' ? rolledUpColumns(source, partAround(source, pointer)) : undefined,
  }));
  const target = registry.get(resource);
  const subjects = useMemo(
    () => (columns ? columnSubjects(columns) : target && moduleSubjects(target)),
    [columns, target],
  );
  return (
    <ConditionProperty {...{ pointer, label, begin: isNew }} keepEmpty={isRequired} {...(subjects && { subjects })} />
  );
}

function QueryOfKey({ pointer, label, placeholder = 'All.', description, isRequired }: InputProps) {
  const { reference } = description.names;
  const { resource, one: recordName } = useDraftPart(({ source }) => ({
    resource:
      reference?.in === undefined ? source.name : resourceOf(reference, { source, part: partAround(source, pointer) }),
    one: source.labels.one.toLowerCase(),
  }));
  const record = reference?.in === undefined ? undefined : `the ${recordName}`;
  return <QueryProperty {...{ pointer, label, resource, record }} emptyText={placeholder} keepEmpty={isRequired} />;
}

/** A part with a switch, if it has a label and can be left out. */
function PartInput({ pointer, label, description, isRequired }: InputProps) {
  const { registry } = useDefinitions();
  const { value, set, hint, error } = useDraftValue(pointer);
  const { words, usual: defaultValue, allowsFalse, allowsTrue } = description;
  const initialPart = useDraftPart(({ source }) => beginPart(description, { source, registry }));
  if (isRequired || words.label === undefined)
    return (
      <>
        {isRequired && <PlaceErrors pointer={pointer} />}
        <PartForm pointer={pointer} />
      </>
    );
  const isOnByDefault = defaultValue === true || (allowsFalse && !allowsTrue);
  const isOn = value === undefined ? isOnByDefault : value !== false;
  const isImpossible = !isOn && !isOnByDefault && initialPart === undefined;
  const turn = (next: boolean) => {
    if (next) set(isOnByDefault ? undefined : allowsFalse ? true : initialPart);
    else set(isOnByDefault ? false : undefined);
  };
  return (
    <>
      <SwitchRow {...{ label, isOn, hint, error: isOn ? undefined : error }} disabled={isImpossible} onChange={turn} />
      {isImpossible && <p>{words.lacks}</p>}
      {isOn && (
        <>
          <PlaceErrors pointer={pointer} />
          <PartForm pointer={pointer} />
        </>
      )}
    </>
  );
}

/** The label of a list with its explanation and its faults, and the list. */
function LabelledGroup({ pointer, label, children }: { pointer: string; label: string; children: ReactNode }) {
  const { hint } = useDraftValue(pointer);
  return (
    <div className={styles.studioGroup}>
      <div className={styles.studioLabel}>
        <span>{label}</span>
        {hint && <Hint text={hint} />}
      </div>
      <PlaceErrors pointer={pointer} />
      {children}
    </div>
  );
}

/** The label of what adds an entry: by the help of an entry, such as `A chart.`, where the language has none. */
function addLabel({ words, entry }: KeyDescription, label: string): string {
  const noun = /^(An? [^.]+)\.$/.exec(entry?.help ?? '')?.[1];
  return words.add ?? (noun ? `Add ${noun.charAt(0).toLowerCase()}${noun.slice(1)}` : `Add to: ${label}`);
}

/** The description of each entry of a key that has several. */
const entryOf = ({ entry }: KeyDescription) => requireValue(entry, 'the description of an entry');

/** Parts of one kind in their order, each with its inputs. */
function PartList({ pointer, label, placeholder = 'None', description }: InputProps) {
  const { registry } = useDefinitions();
  const { source } = useDraft();
  const { value } = useDraftValue(pointer);
  const { keys } = description;
  const entry = entryOf(description);
  const { title = 'label', note, kinds, short } = entry.words;
  const context = { source, registry };
  if (value === undefined && !beginEntry(entry, context, 1).isComplete) return null;
  const textOf = (name: string | undefined, part: OptionContext['part']) => {
    const key = keys.find((candidate) => candidate.name === name)?.description;
    const texts = [part[name ?? ''] ?? []].flat().map(String);
    const options = key && (key.kind === 'choice' || key.kind === 'choices') && !key.values;
    const textOptions = options ? optionsOf(key.reference, key.words.options, { ...context, part }) : [];
    return texts.map((text) => textOptions.find((option) => String(option.value) === text)?.label ?? text).join(', ');
  };
  const titleOf = (entryValue: OptionContext['part']) => {
    if (!short) return textOf(title, entryValue);
    const part = isJsonObject(entryValue) ? entryValue : { [short.key]: entryValue };
    return textOf(title, part) || textOf(short.key, part) || String(Object.values(part)[0] ?? '');
  };
  return (
    <LabelledGroup {...{ pointer, label }}>
      <ListProperty
        {...{ pointer, label }}
        add={addLabel(description, label)}
        emptyText={placeholder}
        createEntry={(entries) => beginEntry(entry, context, entries.length + 1, entries).value}
        titleOf={(entryValue) => (kinds ? kindLabel(entryValue, kinds) : titleOf(entryValue))}
        noteOf={(entryValue) => (kinds ? kindNote(entryValue, kinds, keys) : textOf(note, entryValue))}
      >
        {(entryPointer) => (
          <>
            <PlaceErrors pointer={entryPointer} />
            {short && !isJsonObject(valueAtPath(source, parsePointer(entryPointer))) ? (
              <ShortEntry
                pointer={entryPointer}
                name={short.key}
                label={short.label}
                description={
                  requireValue(
                    keys.find(({ name }) => name === short.key),
                    `the key ${short.key}`,
                  ).description
                }
              />
            ) : (
              <PartForm pointer={entryPointer} />
            )}
          </>
        )}
      </ListProperty>
    </LabelledGroup>
  );
}

interface ShortEntryProps extends Pick<KeyInputProps, 'pointer' | 'description'> {
  name: string;
  label: string;
}

/** An entry that is written as the value of one of its keys alone. */
function ShortEntry({ pointer, name, label, description }: ShortEntryProps) {
  const { value, set } = useDraftValue(pointer);
  return (
    <>
      <KeyInput pointer={pointer} description={description} isRequired />
      <div>
        <Button size="small" variant="outlined" onClick={() => set({ [name]: value })}>
          {label}
        </Button>
      </div>
    </>
  );
}

const kindLabel = (entry: OptionContext['part'], kinds: PartKinds) =>
  kinds.by[kindOfPart(entry, kinds) ?? '']?.label ?? 'Nothing';

/** The value that makes an entry one of its kind, in few words: the first one of a part, else names. */
function kindNote(entry: OptionContext['part'], kinds: PartKinds, keys: readonly PartKey[]): string {
  const kind = kindOfPart(entry, kinds);
  const value = entry[kind ?? ''] ?? '';
  if (!isJsonObject(value)) return [value].flat().map(String).join(', ');
  const isPart = keys.find(({ name }) => name === kind)?.description.kind === 'part';
  return isPart ? String(Object.values(value)[0] ?? '') : Object.keys(value).join(', ');
}

/** Several lists of names, in their order. */
function NameLists({ pointer, label, placeholder = 'None', description }: InputProps) {
  const { source } = useDraft();
  const { registry } = useDefinitions();
  const entry = entryOf(description);
  const options = optionsOf(entry.reference, entry.words.options, { source, registry, part: {} });
  const { begin: count = 1 } = entry.words as { begin?: number };
  const labelOfNames = (names: unknown) =>
    [names ?? []].flat().map((name) => options.find(({ value }) => value === name)?.label ?? String(name));
  return (
    <LabelledGroup {...{ pointer, label }}>
      <ListProperty
        {...{ pointer, label }}
        add={addLabel(description, label)}
        emptyText={placeholder}
        createEntry={() => options.slice(0, count).map(({ value }) => value) as unknown as OptionContext['part']}
        titleOf={(names) => labelOfNames(names).join(', ')}
      >
        {(entryPointer) => <KeyInput pointer={entryPointer} description={entry} isRequired />}
      </ListProperty>
    </LabelledGroup>
  );
}

/** Parts by names, which are chosen or typed, in their order. */
function PartRecord({ pointer, label, placeholder = 'None', description }: InputProps) {
  const draft = useDraft();
  const { registry } = useDefinitions();
  const { value, set } = useDraftValue(pointer);
  const { words, names } = description;
  const entry = entryOf(description);
  const entries = Object.entries((value ?? {}) as Readonly<Record<string, OptionContext['part']>>);
  const put = (next: typeof entries) => set(next.length === 0 ? undefined : Object.fromEntries(next));
  const context = { source: draft.source, registry };
  const add = (name: string) => put([...entries, [name, beginEntry(entry, context, 1, [], name).value]]);
  const options = names.reference && optionsOf(names.reference, words.options, { ...context, part: {} });
  const labelOfName = (name: string) => options?.find((option) => option.value === name)?.label ?? labelOf(name);
  return (
    <LabelledGroup {...{ pointer, label }}>
      <SortedList
        label={label}
        items={entries}
        emptyText={placeholder}
        keyOf={([name]) => name}
        titleOf={([name, part]) => String(part.label ?? labelOfName(name))}
        noteOf={([name]) => (options ? '' : name)}
        isWrong={([name]) => draftErrors(draft).some(({ path }) => isWithin(path, `${pointer}/${name}`))}
        onMove={(oldIndex, newIndex) =>
          put(entries.toSpliced(oldIndex, 1).toSpliced(newIndex, 0, itemAt(entries, oldIndex)))
        }
        onRemove={(index) => put(entries.toSpliced(index, 1))}
      >
        {([name]) => (
          <>
            <PlaceErrors pointer={`${pointer}/${name}`} />
            <PartForm pointer={`${pointer}/${name}`} />
          </>
        )}
      </SortedList>
      {options ? (
        <AddMenu
          label={addLabel(description, label)}
          options={options.filter(({ value: name }) => !entries.some(([entryName]) => entryName === name))}
          onAdd={add}
        />
      ) : (
        <NewName
          label={addLabel(description, label)}
          names={entries.map(([name]) => name)}
          pattern={patternOf(names.pattern)}
          onAdd={add}
        />
      )}
    </LabelledGroup>
  );
}

const namePatterns: Readonly<Record<string, string>> = {
  [namePattern.expression.source]: namePattern.message,
  '^[a-z][a-z0-9-]*$': 'It begins with a small letter, followed by small letters, digits and -.',
  '^[A-Za-z][A-Za-z0-9_-]*$': 'It begins with a letter, followed by letters, digits, _ and -.',
};

interface RecordInputProps extends InputProps {
  /** The name of the entry that this is within. */
  entry?: string;
}

/** The pattern of a typed name. */
function patternOf(pattern: string | undefined) {
  if (pattern === undefined) return undefined;
  const message = namePatterns[pattern];
  return message === undefined ? undefined : { expression: new RegExp(pattern, 'u'), message };
}

/** Values of one kind by names, which are chosen or typed. */
function RecordInput({
  pointer,
  label,
  placeholder = 'None.',
  description,
  isRequired,
  entry: title = '',
}: RecordInputProps) {
  const { registry } = useDefinitions();
  const store = useDraftStore();
  const { value } = useDraftValue(pointer);
  const { words, names } = description;
  const entryDescription = entryOf(description);
  const options = useDraftPart(({ source }) =>
    names.reference || words.options
      ? optionsOf(names.reference, words.options, { source, registry, part: partAround(source, pointer) })
      : undefined,
  );
  const { begin } = entryDescription.words;
  const createValue = (key: string) => {
    if (entryDescription.kind === 'part')
      return beginEntry(entryDescription, { source: store.get().source, registry }, 1, [], key).value;
    return typeof begin === 'string' ? begin.replace('{key}', key) : begin === true ? firstValue() : begin;
  };
  const firstValue = () => {
    const { source } = store.get();
    return optionsOf(entryDescription.reference, entryDescription.words.options, { source, registry, part: {} })[0]
      ?.value;
  };
  if (value === undefined && begin === true && firstValue() === undefined) return null;
  return (
    <MapProperty
      {...{ pointer, label, options }}
      add={addLabel(description, label).replace('{key}', title)}
      emptyText={placeholder}
      keepEmpty={isRequired}
      pattern={patternOf(names.pattern)}
      createValue={begin === undefined && entryDescription.kind !== 'part' ? undefined : createValue}
    >
      {(entryPointer, _, name, isNew) => (
        <KeyInput pointer={entryPointer} description={entryDescription} entry={name} isNew={isNew} />
      )}
    </MapProperty>
  );
}
