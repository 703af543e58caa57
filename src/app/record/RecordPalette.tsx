import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useGetOne, type RaRecord } from 'react-admin';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { isRelation } from '../../engine/field-types/relation';
import { inlineFields, keyFields } from '../../engine/lists/inline-edit';
import { recordPath, rowActions } from '../../engine/lists/row-actions';
import { isEmpty } from '../../engine/values/is-empty';
import { itemAt } from '../../engine/values/lookups';
import type { Choice } from '../fields/choices/choice';
import { emptyText } from '../fields/choices/choiceTexts';
import { useChoices } from '../fields/choices/useChoices';
import { CommandPalette } from '../commands/CommandPalette';
import { matchEntries, type PaletteEntry } from '../commands/palette';
import { rememberRecent } from '../commands/recent';
import { useActions } from '../actions/useActions';
import { setFieldText } from '../list/inline/setFieldText';
import { useCellChoices, useChoicesOf } from '../list/inline/useCellChoices';
import { useInlineSave, type InlineValue } from '../list/inline/useInlineSave';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';

export interface ChosenRecord {
  definition: Definition;
  id: number;
  /** Its key or its title. */
  title: string;
  /** Keys that were pressed since it was chosen. */
  typedAhead?: readonly string[];
}

interface RecordPaletteProps extends ChosenRecord {
  /** The field whose choices are offered; left out, all that can be done. */
  field?: string;
  onBack: () => void;
  onClose: () => void;
}

/** The palette of one record: what can be done with it, and which of its fields can be set to another choice. */
export function RecordPalette(props: RecordPaletteProps) {
  const { definition, id, title, field: fieldName, onBack, onClose } = props;
  const [typedAhead, setTypedAhead] = useState(props.typedAhead);
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const { data: record, isPending, error } = useGetOne<RaRecord>(definition.name, { id }, { meta: { quiet: true } });
  const records = useMemo(() => record && [record], [record]);
  const actions = useActions(definition, records);
  const [text, setText] = useState('');
  const [field, setField] = useState(fieldName === undefined ? undefined : definition.fields[fieldName]);
  const [isRunning, setRunning] = useState(false);
  const save = useInlineSave(definition);
  const fields = record
    ? inlineFields(definition, record, actor, evaluationContext).filter(
        (candidate) => isRelation(candidate) || candidate.options,
      )
    : noFields;
  const { values, searching: isSearching } = useValues(definition, record ?? emptyRecord, fields, text);
  // A record on which work was done is at the top of the recent records, opened or not.
  useEffect(() => {
    if (record && !actor.viewer) rememberRecent(actor.id, definition.name, id);
  }, [actor, definition.name, id, record]);

  // An action that asks a question ends when that is answered.
  const isDone = isRunning && !actions.isAsking;
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  if (isRunning) return actions.dialogs;

  if (record && field)
    return (
      <FieldPalette
        {...{ definition, record, field, title, typedAhead, onClose }}
        onBack={fieldName === undefined ? () => setField(undefined) : onBack}
      />
    );
  const sections = record
    ? [
        { label: 'Actions', entries: matchEntries(entriesOf(record), text) },
        { label: 'Set', entries: matchEntries(valueEntries(record), text) },
      ]
    : [];
  return (
    <CommandPalette
      text={text}
      onText={setText}
      sections={sections.filter(({ entries }) => entries.length > 0)}
      typedAhead={typedAhead}
      isSearching={isPending || isSearching}
      problem={error ? `${title} could not be opened: ${error.message}` : undefined}
      scope={{ label: title, placeholder: 'Find an action', onLeave: onBack }}
      onClose={onClose}
    />
  );

  /** The choices that have the typed words, stored without a list of their field's choices between. */
  function valueEntries(currentRecord: RaRecord): PaletteEntry[] {
    return values.map(({ field: choiceField, choice }) => ({
      id: `set ${choiceField.name} ${choice.id}`,
      icon: choice.id === currentRecord[choiceField.name] ? 'check' : 'pencil',
      label: `${choiceField.label}: ${choice.title}`,
      keepsOpen: true,
      run: () => {
        onClose();
        if (choice.id !== currentRecord[choiceField.name])
          void save(currentRecord, choiceField, { value: choice.id, choice });
      },
    }));
  }

  function entriesOf(currentRecord: RaRecord): PaletteEntry[] {
    const { person } = keyFields(definition, registry, fields);
    const choose = (chosenField: Field) => (pressedKeys?: readonly string[]) => {
      setTypedAhead(pressedKeys);
      setText('');
      setField(chosenField);
    };
    return [
      { id: 'open', icon: definition.menu?.icon ?? 'text', label: 'Open', to: recordPath(definition, { id }) },
      ...fields.map((choiceField) => ({
        id: `set ${choiceField.name}`,
        ...setFieldText(choiceField, person),
        keepsOpen: true,
        run: () => choose(choiceField)(),
        onActions: choose(choiceField),
      })),
      ...rowActions(definition, currentRecord, actor, evaluationContext).map((action) => ({
        id: `row ${action.name}`,
        icon: action.icon,
        label: action.label,
        keepsOpen: true,
        run: () => {
          actions.run(action, currentRecord);
          setRunning(true);
        },
      })),
    ];
  }
}

const noFields: readonly Field[] = [];
const emptyRecord: ResourceRecord = {};
/** So few letters fit most choices. */
const leastTyped = 2;
const mostValues = 5;

/** The choices of fields of a record that contain a text, a few of each field, and whether some are still loaded. */
function useValues(definition: Definition, record: ResourceRecord, fields: readonly Field[], text: string) {
  const sourceOf = useChoicesOf(definition, record);
  const typedText = text.trim();
  return useQueries({
    queries: fields.map((field) => {
      const source = sourceOf(field);
      return {
        queryKey: ['choices', ...source.key, typedText],
        queryFn: ({ signal }: { signal: AbortSignal }) => source.load(typedText, signal),
        enabled: typedText.length >= leastTyped && source.blocked === undefined,
        staleTime: 30_000,
        meta: { quiet: true },
      };
    }),
    combine: (results) => ({
      searching: results.some(({ isFetching }) => isFetching),
      values: results.flatMap(({ data = [] }, index) =>
        data
          .filter(({ title }) => title.toLowerCase().includes(typedText.toLowerCase()))
          .slice(0, mostValues)
          .map((choice: Choice) => ({ field: itemAt(fields, index), choice })),
      ),
    }),
  });
}

interface FieldPaletteProps extends Omit<RecordPaletteProps, 'id' | 'field'> {
  record: RaRecord;
  field: Field;
}

/** The choices of a field of the record; the chosen one is stored at once and can be taken back. */
function FieldPalette({ definition, record, field, title, typedAhead, onBack, onClose }: FieldPaletteProps) {
  const [text, setText] = useState('');
  const save = useInlineSave(definition);
  const source = useCellChoices({ definition, field, record });
  const { choices, loading, error } = useChoices(source, text, true);
  const current = record[field.name] ?? null;
  const set = (next: InlineValue) => () => {
    onClose();
    if (next.value !== current) void save(record, field, next);
  };
  const entries: PaletteEntry[] = choices.map((choice) => ({
    id: `choice ${choice.id}`,
    icon: choice.id === current ? 'check' : 'chevron-right',
    label: choice.title,
    keepsOpen: true,
    run: () => {
      source.onChosen?.([choice], [choice]);
      set({ value: choice.id, choice })();
    },
  }));
  // Alone, while the choices are on their way, Enter would choose it.
  const isWaiting = loading && choices.length === 0;
  if (!field.required && !field.requiredInForm && !isEmpty(current) && text === '' && !isWaiting)
    entries.push({
      id: 'none',
      icon: 'close',
      label: field.emptyText ?? `No ${field.label.toLowerCase()}`,
      keepsOpen: true,
      run: set({ value: null }),
    });
  const problem = source.blocked ?? (entries.length > 0 || loading ? undefined : emptyText(text, error));
  return (
    <CommandPalette
      text={text}
      onText={setText}
      sections={entries.length > 0 ? [{ label: field.label, entries }] : []}
      typedAhead={typedAhead}
      isSearching={loading}
      problem={problem}
      scope={{ label: title, placeholder: `Find ${field.label.toLowerCase()}`, onLeave: onBack }}
      onClose={onClose}
    />
  );
}
