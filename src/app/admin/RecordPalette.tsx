import { useEffect, useMemo, useState } from 'react';
import { useGetOne, type RaRecord } from 'react-admin';
import type { Definition, Field } from '../../engine/definitions/definition';
import { isRelation } from '../../engine/field-types/relation';
import { inlineFields, keyFields } from '../../engine/lists/inline-edit';
import { rowActions } from '../../engine/lists/row-actions';
import { isEmpty } from '../../engine/validation/is-empty';
import { emptyText } from '../choices/choiceTexts';
import { useChoices } from '../choices/useChoices';
import { CommandPalette } from '../commands/CommandPalette';
import { matchEntries, type PaletteEntry } from '../commands/palette';
import { useActions } from '../list/useActions';
import { setFieldText } from '../list/inline/setFieldText';
import { useCellChoices } from '../list/inline/useCellChoices';
import { useInlineSave, type InlineValue } from '../list/inline/useInlineSave';
import { useDefinitions } from './DefinitionsContext';
import { useEvaluationContext } from './useEvaluationContext';

export interface ChosenRecord {
  definition: Definition;
  id: number;
  /** Its key or its title. */
  title: string;
}

interface RecordPaletteProps extends ChosenRecord {
  onBack: () => void;
  onClose: () => void;
}

/** The palette of one record: what can be done with it, and which of its fields can be set to another choice. */
export function RecordPalette({ definition, id, title, onBack, onClose }: RecordPaletteProps) {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const { data: record, isPending, error } = useGetOne<RaRecord>(definition.name, { id }, { meta: { quiet: true } });
  const records = useMemo(() => record && [record], [record]);
  const actions = useActions(definition, records);
  const [text, setText] = useState('');
  const [field, setField] = useState<Field>();
  const [isRunning, setRunning] = useState(false);

  // An action that asks a question ends when that is answered.
  const isDone = isRunning && !actions.isAsking;
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  if (isRunning) return actions.dialogs;

  if (record && field)
    return <FieldPalette {...{ definition, record, field, title, onClose }} onBack={() => setField(undefined)} />;
  return (
    <CommandPalette
      text={text}
      onText={setText}
      sections={record ? [{ label: 'Actions', entries: matchEntries(entriesOf(record), text) }] : []}
      searching={isPending}
      problem={error ? `${title} could not be opened: ${error.message}` : undefined}
      scope={{ label: title, placeholder: 'Find an action', onLeave: onBack }}
      onClose={onClose}
    />
  );

  function entriesOf(one: RaRecord): PaletteEntry[] {
    const fields = inlineFields(definition, one, actor, evaluationContext).filter(
      (each) => isRelation(each) || each.options,
    );
    const { person } = keyFields(definition, registry, fields);
    const choose = (chosen: Field) => () => {
      setText('');
      setField(chosen);
    };
    return [
      { id: 'open', icon: definition.menu?.icon ?? 'text', label: 'Open', to: `/${definition.name}/${id}` },
      ...fields.map((each) => ({
        id: `set ${each.name}`,
        ...setFieldText(each, person),
        stays: true,
        run: choose(each),
        onActions: choose(each),
      })),
      ...rowActions(definition, one, actor, evaluationContext).map((action) => ({
        id: `row ${action.name}`,
        icon: action.icon,
        label: action.label,
        stays: true,
        run: () => {
          actions.run(action, one);
          setRunning(true);
        },
      })),
    ];
  }
}

interface FieldPaletteProps extends Omit<RecordPaletteProps, 'id'> {
  record: RaRecord;
  field: Field;
}

/** The choices of a field of the record; the chosen one is stored at once and can be taken back. */
function FieldPalette({ definition, record, field, title, onBack, onClose }: FieldPaletteProps) {
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
    stays: true,
    run: () => {
      source.onChosen?.([choice], [choice]);
      set({ value: choice.id, choice })();
    },
  }));
  if (!field.required && !field.requiredInForm && !isEmpty(current) && text === '')
    entries.push({
      id: 'none',
      icon: 'close',
      label: field.empty ?? `No ${field.label.toLowerCase()}`,
      stays: true,
      run: set({ value: null }),
    });
  const problem = source.blocked ?? (entries.length > 0 || loading ? undefined : emptyText(text, error));
  return (
    <CommandPalette
      text={text}
      onText={setText}
      sections={entries.length > 0 ? [{ label: field.label, entries }] : []}
      searching={loading}
      problem={problem}
      scope={{ label: title, placeholder: `Find ${field.label.toLowerCase()}`, onLeave: onBack }}
      onClose={onClose}
    />
  );
}
