import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { noBranch, treeName } from '../../../engine/conditions/tree';
import { fieldOf } from '../../../engine/definitions/accessors';
import type { ListBranch } from '../../../engine/lists/quick-add';
import { useCommands } from '../../commands/commands';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { announce } from '../../layout/announce';
import { endsSession, withFieldErrors } from '../../session/apiError';
import { useResourceList } from '../ResourceList';
import { treeTarget, useTree } from '../tree/useTree';
import { useAddedValues, type AddedValues } from './useAddedValues';
import * as styles from './quick-add.module.css';

/**
 * A line below a list, or in its tree below the chosen branch: a title and Enter add a record with the values of the branch and
 * the filters, and the next one follows.
 */
export default function QuickAdd({ isInTree = false }: { isInTree?: boolean }) {
  const branch = useBranch();
  const addedValues = useAddedValues()({}, branch);
  if (!addedValues) return null;
  const target = branch && titleOf(branch);
  return <QuickAddLine key={branch?.id} {...{ ...addedValues, target, isInTree }} hasKey={!isInTree} />;
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

interface QuickAddLineProps extends AddedValues {
  /** The title of the branch or group. */
  target?: string;
  /** `q` leads to it. */
  hasKey?: boolean;
  /** It stands below what it adds to. */
  isInTree?: boolean;
}

/** A line that asks for the title of a record to be added, and of the next one. */
export function QuickAddLine({ values, title, target, hasKey = false, isInTree = false }: QuickAddLineProps) {
  const { definition } = useResourceList();
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  // Titles that are typed faster than they are stored keep their order.
  const pendingAdd = useRef<Promise<unknown>>(Promise.resolve());
  const { name, labels } = definition;
  const words = `Add a ${labels.one.toLowerCase()}`;
  const label = `${words}${target === undefined ? '' : ` to ${target}`}`;
  useCommands(() => [{ id: 'quick-add', label, icon: 'plus', keys: 'q', run: () => input.current?.focus() }], hasKey);
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
    // A dialog around the line would close. Keys with Ctrl are for commands, such as the palette; Ctrl+A selects the text.
    const isOfCommand = (event.ctrlKey || event.metaKey) && event.key !== 'a';
    if (event.key !== 'Tab' && !isOfCommand) event.stopPropagation();
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
    <div className={styles.quickAdd} data-in-tree={isInTree || undefined}>
      <Icon name="plus" size={isInTree ? 14 : undefined} />
      <input
        ref={input}
        type="text"
        value={text}
        placeholder={`${isInTree ? words : label}…`}
        aria-label={isInTree ? `${label} in the tree` : label}
        aria-invalid={error !== undefined}
        maxLength={fieldOf(definition, title).maxLength}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p role="alert">{error}</p>
    </div>
  );
}
