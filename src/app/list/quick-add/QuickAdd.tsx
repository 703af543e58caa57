import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { realUser } from '../../../engine/access/actor';
import { noBranch, treeName } from '../../../engine/conditions/tree';
import { fieldOf } from '../../../engine/definitions/accessors';
import { quickAddField, quickAddValues, type ListBranch } from '../../../engine/lists/quick-add';
import { useMayAdd } from '../../actions/useMayAdd';
import { useCommands } from '../../commands/commands';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { useDefinitions } from '../../data/DefinitionsContext';
import { keptValues } from '../../form/keptStore';
import { Icon } from '../../icons/Icon';
import { announce } from '../../layout/announce';
import { endsSession, withFieldErrors } from '../../session/apiError';
import { useResourceList } from '../ResourceList';
import { treeTarget, useTree } from '../tree/useTree';
import * as styles from './quick-add.module.css';

/** A line below a list: a title and Enter add a record with the values of the branch and the filters, and the next one follows. */
export default function QuickAdd() {
  const { definition, state, fixedValues } = useResourceList();
  const { actor } = useDefinitions();
  const mayAdd = useMayAdd(definition);
  const branch = useBranch();
  const person = realUser(actor).id;
  const values = quickAddValues(
    definition,
    { ...state.filters, ...fixedValues },
    branch,
    keptValues(person, definition.name),
  );
  const title = quickAddField(definition);
  const isArchive = state.filters.archive === 1;
  if (!mayAdd || actor.viewer || !values || title === undefined || isArchive) return null;
  return <QuickAddLine key={branch?.id} values={values} title={title} branchTitle={branch && titleOf(branch)} />;
}

const titleOf = ({ nodes, id }: ListBranch) => nodes.find((node) => node.id === id)?.title;

/** The branch of the tree beside the list that the list shows; undefined where there is none, or until it is known. */
function useBranch(): ListBranch | undefined {
  const { definition, state, fixedValues } = useResourceList();
  const { registry, actor } = useDefinitions();
  const branch = String(state.filters[treeName] ?? '');
  const id = branch === '' || branch === noBranch ? undefined : Number(branch);
  const { tree } = useTree(definition, state, fixedValues, id !== undefined);
  const target = treeTarget(definition, registry, actor);
  return id !== undefined && target && tree?.nodes.some((node) => node.id === id)
    ? { target, nodes: tree.nodes, id }
    : undefined;
}

interface QuickAddLineProps {
  values: Readonly<Record<string, unknown>>;
  /** The field of the title. */
  title: string;
  /** The title of the branch. */
  branchTitle?: string;
}

function QuickAddLine({ values, title, branchTitle }: QuickAddLineProps) {
  const { definition } = useResourceList();
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  // Titles that are typed faster than they are stored keep their order.
  const pendingAdd = useRef<Promise<unknown>>(Promise.resolve());
  const { name, labels } = definition;
  const label = `Add a ${labels.one.toLowerCase()}${branchTitle === undefined ? '' : ` to ${branchTitle}`}`;
  useCommands(() => [{ id: 'quick-add', label, icon: 'plus', keys: 'q', run: () => input.current?.focus() }]);
  const add = async (newTitle: string) => {
    try {
      await dataProvider.create<RaRecord>(name, { data: { ...values, [title]: newTitle } });
      announce(`Added: ${newTitle}`);
      await refreshAfterSaving(queryClient, name);
    } catch (cause) {
      if (endsSession(cause)) return;
      const { message } = withFieldErrors(cause as Error);
      setError(`${newTitle} was not added: ${message}`);
      // Text typed meanwhile stays.
      setText((current) => (current === '' ? newTitle : current));
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      if (text === '') event.currentTarget.blur();
      setText('');
      setError(undefined);
      return;
    }
    const newTitle = text.trim();
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || newTitle === '') return;
    event.preventDefault();
    setText('');
    setError(undefined);
    pendingAdd.current = pendingAdd.current.then(() => add(newTitle));
  };
  return (
    <div className={styles.quickAdd}>
      <Icon name="plus" />
      <input
        ref={input}
        type="text"
        value={text}
        placeholder={`${label}…`}
        aria-label={label}
        aria-invalid={error !== undefined}
        maxLength={fieldOf(definition, title).maxLength}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p role="alert">{error}</p>
    </div>
  );
}
