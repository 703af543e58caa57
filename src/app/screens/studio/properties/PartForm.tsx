import Button from '@mui/material/Button';
import { Fragment, memo, useMemo, type ComponentType, type ReactNode } from 'react';
import type { Source } from '../../../../engine/definitions/source';
import { labelOf } from '../../../../engine/definitions/labels';
import type { PanelWords, PartKinds } from '../../../../engine/language/key';
import { isJsonObject, parsePointer, valueAtPath } from '../../../../engine/studio/json';
import { keysOfKind, keysOfKinds, kindOfPart, withKind } from '../../../../engine/studio/part-kinds';
import { partAt, partKeysAt, withWords, type KeyDescription, type PartKey } from '../../../../engine/studio/part-keys';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { columnSubjects, moduleSubjects } from '../conditions/subjects';
import { useDraft, useDraftPart, useDraftStore } from '../draft';
import { draftErrors, isWithin } from '../places';
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
import type { SpecialInputProps } from './specialInputProps';
import { specialInputs } from './specialInputs';
import { SuggestedProperty } from './SuggestedProperty';
import { SwitchProperty, SwitchRow } from './SwitchProperty';
import { NumberProperty, TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import { withValueAt } from './withValueAt';
import * as styles from './properties.module.css';

/** The value that holds without a key, where that depends on the definition: words, or whether a switch is on. */
type Fallbacks = Readonly<Record<string, string | boolean>>;

interface PartFormProps {
  /** JSON pointer of the part; empty: the definition itself. */
  at: string;
  /** Only these keys, in this order. Default: all that have an input, as they are described. */
  keys?: readonly string[];
  fallbacks?: Fallbacks;
  /** Inputs that were made for some of its keys. */
  inputs?: Readonly<Record<string, ComponentType<SpecialInputProps>>>;
}

/** The inputs of a part of the definition, from its description. */
export function PartForm({ at, keys, fallbacks, inputs }: PartFormProps) {
  const { registry } = useDefinitions();
  const { before, ofKind, after, kinds, kind } = useDraftPart(({ source }) => {
    const steps = parsePointer(at);
    const context = { source, registry, part: valueOfPart(source, at) };
    const { keys: described, kinds: offered } = partAt(source, steps);
    const all = keysWithInput(described, keys);
    const isShown = (key: PartKey) => isApplicable(key, context);
    const kindKeys: ReadonlySet<string> = offered ? keysOfKinds(offered) : new Set();
    const first = all.findIndex(({ name }) => kindKeys.has(name));
    if (!offered || first < 0) return { before: all.filter(isShown), ofKind: [], after: [] };
    const chosen = kindOfPart(context.part, offered);
    const names = chosen === undefined ? [] : keysOfKind(offered, chosen);
    const common = all.filter((key) => !kindKeys.has(key.name) && isShown(key));
    return {
      before: common.filter((key) => all.indexOf(key) < first),
      ofKind: keysWithInput(all, names).filter(isShown),
      after: common.filter((key) => all.indexOf(key) > first),
      kinds: offered,
      kind: chosen,
    };
  });
  const input = ({ name, isRequired, description }: PartKey) => (
    <KeyInput
      at={`${at}/${name}`}
      fallback={fallbacks?.[name]}
      input={inputs?.[name]}
      isRequired={isRequired || name === kind}
      description={description}
    />
  );
  const rare = [...before, ...after].filter(isRare);
  return (
    <>
      <Rows keys={before.filter((key) => !isRare(key))} input={input} />
      {kinds && <KindInput {...{ at, kinds, kind }} />}
      <Rows keys={ofKind} input={input} />
      <Rows keys={after.filter((key) => !isRare(key))} input={input} />
      {rare.length > 0 && (
        <MoreProperties>
          <Rows keys={rare} input={input} />
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
    const { name } = row[0]!;
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
function KindInput({ at, kinds, kind = '' }: { at: string; kinds: PartKinds; kind: string | undefined }) {
  const { registry } = useDefinitions();
  const store = useDraftStore();
  const choose = (next: string) =>
    store.get().edit((source) => {
      const steps = parsePointer(at);
      const keys = partKeysAt(source, steps);
      const initialPart = beginKind(keys, kinds, next, { source, registry });
      return withValueAt(source, steps, withKind(valueOfPart(source, at), kinds, next, initialPart, keys));
    });
  const ways = Object.entries(kinds.by).map(([value, { label }]) => ({ value, label }));
  return <ChoiceInput label={kinds.label} ways={ways} chosen={kind} onChoose={choose} />;
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
    if (last && isShort(key) && isShort(last[0]!)) last.push(key);
    else rows.push([key]);
  }
  return rows;
}

function keysWithInput(all: readonly PartKey[], names: readonly string[] | undefined): readonly PartKey[] {
  if (names) return names.flatMap((name) => all.find((key) => key.name === name) ?? []);
  return all.filter(({ description: { words, kind, keys } }) =>
    words.label === undefined ? kind === 'part' && keysWithInput(keys, undefined).length > 0 : true,
  );
}

/** Whether a key has a value, or applies as its description says. */
function isApplicable({ name, description: { words } }: PartKey, context: OptionContext): boolean {
  const { part } = context;
  return (
    part[name] !== undefined ||
    Object.entries(words.applies ?? {}).every(([key, wanted]) => {
      if (typeof wanted === 'boolean') return (part[key] !== undefined) === wanted;
      if (typeof wanted !== 'string') return wanted.includes(part[key]);
      return optionsOf({ kind: 'field' }, wanted, context).some(({ value }) => value === part[key]);
    })
  );
}

function valueOfPart(source: Source, pointer: string): OptionContext['part'] {
  const [holder, name, ...below] = parsePointer(pointer);
  if (holder === 'fields' && name !== undefined && below.length === 0) return { ...completeField(source, name) };
  const value = valueAtPath(source, parsePointer(pointer));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as OptionContext['part']) : {};
}

const partAround = (source: Source, pointer: string) => valueOfPart(source, pointer.slice(0, pointer.lastIndexOf('/')));

interface KeyInputProps {
  /** JSON pointer of the key. */
  at: string;
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
  const { at, description: whole, isRequired = false, fallback, input, entry = '', isNew } = props;
  const description = useTypeWords(at, whole);
  const { words, kind, fallback: described, usual: defaultValue, reference } = description;
  const label = (words.label ?? '').replace('{key}', entry);
  const usual = typeof fallback === 'string' ? fallback : described;
  const Special = input ?? (words.input === undefined ? undefined : specialInputs[words.input]);
  if (Special) return <Special {...{ at, label, usual, isRequired, entry, description }} />;
  switch (kind) {
    case 'text':
      return <TextProperty {...{ at, label, usual }} lines={words.lines} />;
    case 'number':
      return <NumberProperty {...{ at, label, usual }} />;
    case 'plain':
      return <PlainInput {...{ at, label, usual }} />;
    case 'flag':
      return (
        <SwitchProperty {...{ at, label }} usual={typeof fallback === 'boolean' ? fallback : defaultValue === true} />
      );
    case 'choice':
      return <ChoiceOfKey {...{ at, label, usual, description, isRequired }} />;
    case 'choices':
    case 'oneOrMany':
      return reference?.kind === 'role' ? (
        <RolesInput {...{ at, label, usual }} />
      ) : (
        <ChoicesOfKey {...{ at, label, usual, description, isRequired }} />
      );
    case 'condition':
      return <ConditionOfKey {...{ at, label, description, isRequired, isNew }} />;
    case 'query':
      return <QueryOfKey {...{ at, label, usual, description, isRequired }} />;
    case 'part':
      return <PartInput {...{ at, label, description, isRequired }} />;
    case 'parts':
      return <PartList {...{ at, label, usual, description }} />;
    case 'lists':
      return <NameLists {...{ at, label, usual, description }} />;
    case 'record':
      return description.entry!.kind === 'part' && !words.isOpen ? (
        <PartRecord {...{ at, label, usual, description }} />
      ) : (
        <RecordInput {...{ at, label, usual, description, isRequired, entry }} />
      );
    case 'other':
      return null;
  }
});

interface InputProps extends Pick<KeyInputProps, 'at' | 'description' | 'isRequired'> {
  label: string;
  usual?: string;
}

/** The description of a key, with what it says for fields of this type alone. */
function useTypeWords(at: string, description: KeyDescription): KeyDescription {
  const { byType } = description.words;
  const type = useDraftPart(({ source }) => (byType ? String(partAround(source, at).type) : ''));
  return useMemo(() => {
    const words = byType?.[type];
    return words ? withWords(description, words) : description;
  }, [description, byType, type]);
}

function PlainInput(props: { at: string; label: string; usual?: string }) {
  const { value } = useDraftValue(props.at);
  return typeof value === 'number' ? <NumberProperty {...props} /> : <TextProperty {...props} />;
}

/** The choices for a key or for its entries. */
function useOptions(at: string, { values, reference, words }: KeyDescription): readonly Option[] {
  const { registry } = useDefinitions();
  return useDraftPart(({ source }) => {
    const steps = parsePointer(at);
    const named = optionsOf(reference, words.options, { source, registry, steps, part: partAround(source, at) });
    return values ? valueOptions(values, words, named) : named;
  });
}

/** The values that a key takes, with their labels; where some have one, the others are not offered. */
function valueOptions(values: readonly unknown[], { labels }: PanelWords, named: readonly Option[]): Option[] {
  const offered = labels ? values.filter((value) => Object.hasOwn(labels, String(value))) : values;
  return offered.map((value) => {
    const label = labels?.[String(value)] ?? named.find((option) => option.value === String(value))?.label;
    return { value: value as Option['value'], label: label ?? String(value) };
  });
}

/** Names that others than those that are offered can be typed for. */
const typedNames: ReadonlySet<string> = new Set(['lookupPaths', 'mailPaths', 'pages', 'runAs']);

function ChoiceOfKey({ at, label, usual, description, isRequired }: InputProps) {
  const { words, values, reference } = description;
  const ways = useOptions(at, description);
  if (words.options && typedNames.has(words.options))
    return <SuggestedProperty {...{ at, label, usual, ways }} emptied={isRequired ? '' : undefined} />;
  return (
    <ChoiceProperty
      {...{ at, label, ways }}
      none={isRequired ? undefined : (usual ?? (values || reference?.in ? 'Default' : 'None'))}
    />
  );
}

const readMany = (value: unknown) => [value ?? []].flat().map(String);

function ChoicesOfKey({ at, label, usual, description, isRequired }: InputProps) {
  const { kind, values, reference, words } = description;
  const ways = useOptions(at, description);
  const isFree = values === undefined && reference === undefined && (!words.options || words.options === 'fileKinds');
  // The functions stay the same, so that the input is rendered again only if something of it has changed.
  const write = useMemo(
    () => (chosen: string[]) => {
      const stored = chosen.map((text) => values?.find((value) => String(value) === text) ?? text);
      if (stored.length === 0 && !isRequired) return undefined;
      return kind === 'oneOrMany' && stored.length === 1
        ? stored[0]
        : typeof stored[0] === 'number'
          ? stored.sort()
          : stored;
    },
    [kind, values, isRequired],
  );
  const empty = (isRequired ? undefined : usual) ?? (isFree ? 'Type and press Enter' : 'None');
  return <MultiChoiceProperty {...{ at, label, ways, write }} usual={empty} read={readMany} free={isFree} />;
}

/** Roles by name; others can be typed. */
function RolesInput(props: { at: string; label: string; usual?: string }) {
  return <MultiChoiceProperty {...props} ways={useRoleOptions()} free />;
}

function ConditionOfKey({ at, label, description, isRequired, isNew }: InputProps & { isNew?: boolean }) {
  const { registry } = useDefinitions();
  const { reference } = description;
  const { resource, columns } = useDraftPart(({ source }) => ({
    resource: resourceOf(reference, { source, steps: parsePointer(at), part: partAround(source, at) }),
    columns: reference?.in === 'source' ? rolledUpColumns(source, partAround(source, at)) : undefined,
  }));
  const target = registry.get(resource);
  const subjects = useMemo(
    () => (columns ? columnSubjects(columns) : target && moduleSubjects(target)),
    [columns, target],
  );
  return <ConditionProperty {...{ at, label, begin: isNew }} keepEmpty={isRequired} {...(subjects && { subjects })} />;
}

function QueryOfKey({ at, label, usual = 'All.', description, isRequired }: InputProps) {
  const { reference } = description.names;
  const { resource, one } = useDraftPart(({ source }) => ({
    resource:
      reference?.in === undefined ? source.name : resourceOf(reference, { source, part: partAround(source, at) }),
    one: source.labels.one.toLowerCase(),
  }));
  const record = reference?.in === undefined ? undefined : `the ${one}`;
  return <QueryProperty {...{ at, label, resource, record }} none={usual} keepEmpty={isRequired} />;
}

/** A part with a switch, if it has a label and can be left out. */
function PartInput({ at, label, description, isRequired }: InputProps) {
  const { registry } = useDefinitions();
  const { value, set, hint, error } = useDraftValue(at);
  const { words, usual, allowsFalse, allowsTrue } = description;
  const initialPart = useDraftPart(({ source }) => beginPart(description, { source, registry }));
  if (isRequired || words.label === undefined)
    return (
      <>
        {isRequired && <PlaceErrors place={at} />}
        <PartForm at={at} />
      </>
    );
  const isOnByDefault = usual === true || (allowsFalse && !allowsTrue);
  const isOn = value === undefined ? isOnByDefault : value !== false;
  const isImpossible = !isOn && !isOnByDefault && initialPart === undefined;
  const turn = (next: boolean) => {
    if (next) set(isOnByDefault ? undefined : allowsFalse ? true : initialPart);
    else set(isOnByDefault ? false : undefined);
  };
  return (
    <>
      <SwitchRow
        {...{ label, on: isOn, hint, error: isOn ? undefined : error }}
        disabled={isImpossible}
        onChange={turn}
      />
      {isImpossible && <p>{words.lacks}</p>}
      {isOn && (
        <>
          <PlaceErrors place={at} />
          <PartForm at={at} />
        </>
      )}
    </>
  );
}

/** The label of a list with its explanation and its faults, and the list. */
function LabelledGroup({ at, label, children }: { at: string; label: string; children: ReactNode }) {
  const { hint } = useDraftValue(at);
  return (
    <div className={styles.studioGroup}>
      <div className={styles.studioLabel}>
        <span>{label}</span>
        {hint && <Hint text={hint} />}
      </div>
      <PlaceErrors place={at} />
      {children}
    </div>
  );
}

/** The label of what adds an entry: by the help of an entry, such as `A chart.`, where the language has none. */
function addLabel({ words, entry }: KeyDescription, label: string): string {
  const noun = /^(An? [^.]+)\.$/.exec(entry?.help ?? '')?.[1];
  return words.add ?? (noun ? `Add ${noun.charAt(0).toLowerCase()}${noun.slice(1)}` : `Add to: ${label}`);
}

/** Parts of one kind in their order, each with its inputs. */
function PartList({ at, label, usual = 'None', description }: InputProps) {
  const { registry } = useDefinitions();
  const { source } = useDraft();
  const { value } = useDraftValue(at);
  const { keys } = description;
  const entry = description.entry!;
  const { title = 'label', note, kinds, short } = entry.words;
  const context = { source, registry };
  if (value === undefined && !beginEntry(entry, context, 1).isComplete) return null;
  const textOf = (name: string | undefined, part: OptionContext['part']) => {
    const key = keys.find((one) => one.name === name)?.description;
    const texts = [part[name ?? ''] ?? []].flat().map(String);
    const options = key && (key.kind === 'choice' || key.kind === 'choices') && !key.values;
    const ways = options ? optionsOf(key.reference, key.words.options, { ...context, part }) : [];
    return texts.map((text) => ways.find((way) => String(way.value) === text)?.label ?? text).join(', ');
  };
  const titleOf = (one: OptionContext['part']) => {
    if (!short) return textOf(title, one);
    const part = isJsonObject(one) ? one : { [short.key]: one };
    return textOf(title, part) || textOf(short.key, part) || String(Object.values(part)[0] ?? '');
  };
  return (
    <LabelledGroup {...{ at, label }}>
      <ListProperty
        {...{ at, label }}
        add={addLabel(description, label)}
        none={usual}
        blank={(entries) => beginEntry(entry, context, entries.length + 1, entries).value}
        titleOf={(one) => (kinds ? kindLabel(one, kinds) : titleOf(one))}
        noteOf={(one) => (kinds ? kindNote(one, kinds, keys) : textOf(note, one))}
      >
        {(place) => (
          <>
            <PlaceErrors place={place} />
            {short && !isJsonObject(valueAtPath(source, parsePointer(place))) ? (
              <ShortEntry
                at={place}
                name={short.key}
                label={short.label}
                description={keys.find(({ name }) => name === short.key)!.description}
              />
            ) : (
              <PartForm at={place} />
            )}
          </>
        )}
      </ListProperty>
    </LabelledGroup>
  );
}

interface ShortEntryProps extends Pick<KeyInputProps, 'at' | 'description'> {
  name: string;
  label: string;
}

/** An entry that is written as the value of one of its keys alone. */
function ShortEntry({ at, name, label, description }: ShortEntryProps) {
  const { value, set } = useDraftValue(at);
  return (
    <>
      <KeyInput at={at} description={description} isRequired />
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
function NameLists({ at, label, usual = 'None', description }: InputProps) {
  const { source } = useDraft();
  const { registry } = useDefinitions();
  const { entry } = description;
  const ways = optionsOf(entry!.reference, entry!.words.options, { source, registry, part: {} });
  const { begin: count = 1 } = entry!.words as { begin?: number };
  const labelled = (names: unknown) =>
    [names ?? []].flat().map((name) => ways.find(({ value }) => value === name)?.label ?? String(name));
  return (
    <LabelledGroup {...{ at, label }}>
      <ListProperty
        {...{ at, label }}
        add={addLabel(description, label)}
        none={usual}
        blank={() => ways.slice(0, count).map(({ value }) => value) as unknown as OptionContext['part']}
        titleOf={(names) => labelled(names).join(', ')}
      >
        {(place) => <KeyInput at={place} description={entry!} isRequired />}
      </ListProperty>
    </LabelledGroup>
  );
}

/** Parts by names, which are chosen or typed, in their order. */
function PartRecord({ at, label, usual = 'None', description }: InputProps) {
  const draft = useDraft();
  const { registry } = useDefinitions();
  const { value, set } = useDraftValue(at);
  const { words, names, entry } = description;
  const entries = Object.entries((value ?? {}) as Readonly<Record<string, OptionContext['part']>>);
  const put = (next: typeof entries) => set(next.length === 0 ? undefined : Object.fromEntries(next));
  const context = { source: draft.source, registry };
  const add = (name: string) => put([...entries, [name, beginEntry(entry!, context, 1, [], name).value]]);
  const ways = names.reference && optionsOf(names.reference, words.options, { ...context, part: {} });
  const labelled = (name: string) => ways?.find((way) => way.value === name)?.label ?? labelOf(name);
  return (
    <LabelledGroup {...{ at, label }}>
      <SortedList
        label={label}
        items={entries}
        none={usual}
        keyOf={([name]) => name}
        titleOf={([name, one]) => String(one.label ?? labelled(name))}
        noteOf={([name]) => (ways ? '' : name)}
        isWrong={([name]) => draftErrors(draft).some(({ path }) => isWithin(path, `${at}/${name}`))}
        onMove={(from, to) => put(entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!))}
        onRemove={(index) => put(entries.toSpliced(index, 1))}
      >
        {([name]) => (
          <>
            <PlaceErrors place={`${at}/${name}`} />
            <PartForm at={`${at}/${name}`} />
          </>
        )}
      </SortedList>
      {ways ? (
        <AddMenu
          label={addLabel(description, label)}
          ways={ways.filter(({ value: name }) => !entries.some(([one]) => one === name))}
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
  [namePattern.is.source]: namePattern.message,
  '^[a-z][a-z0-9-]*$': 'It begins with a small letter, followed by small letters, digits and -.',
  '^[A-Za-z][A-Za-z0-9_-]*$': 'It begins with a letter, followed by letters, digits, _ and -.',
};

interface RecordInputProps extends InputProps {
  /** The name of the entry that this is within. */
  entry?: string;
}

/** The pattern of a typed name. */
function patternOf(pattern: string | undefined) {
  const message = pattern === undefined ? undefined : namePatterns[pattern];
  return message === undefined ? undefined : { is: new RegExp(pattern!, 'u'), message };
}

/** Values of one kind by names, which are chosen or typed. */
function RecordInput({ at, label, usual = 'None.', description, isRequired, entry: title = '' }: RecordInputProps) {
  const { registry } = useDefinitions();
  const store = useDraftStore();
  const { value } = useDraftValue(at);
  const { words, names, entry } = description;
  const ways = useDraftPart(({ source }) =>
    names.reference || words.options
      ? optionsOf(names.reference, words.options, { source, registry, part: partAround(source, at) })
      : undefined,
  );
  const { begin } = entry!.words;
  const blank = (key: string) => {
    if (entry!.kind === 'part') return beginEntry(entry!, { source: store.get().source, registry }, 1, [], key).value;
    return typeof begin === 'string' ? begin.replace('{key}', key) : begin === true ? firstValue() : begin;
  };
  const firstValue = () => {
    const { source } = store.get();
    return optionsOf(entry!.reference, entry!.words.options, { source, registry, part: {} })[0]?.value;
  };
  if (value === undefined && begin === true && firstValue() === undefined) return null;
  return (
    <MapProperty
      {...{ at, label, ways }}
      add={addLabel(description, label).replace('{key}', title)}
      none={usual}
      keepEmpty={isRequired}
      pattern={patternOf(names.pattern)}
      blank={begin === undefined && entry!.kind !== 'part' ? undefined : blank}
    >
      {(place, _, name, isNew) => <KeyInput at={place} description={entry!} entry={name} isNew={isNew} />}
    </MapProperty>
  );
}
