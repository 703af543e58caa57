import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Definition, ResourceRecord, RowAction } from '../../engine/definitions/definition';
import { presetsFromRecord } from '../../engine/lists/presets';
import { deleteConfirmation, goToPath, screenPath } from '../../engine/lists/row-actions';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { reportError } from '../data/ErrorToasts';
import { finalWords } from '../dialogs/finalWords';
import { useChangeToast } from '../commands/useChangeToast';
import { useCall } from './useCall';
import { useMakeRequest } from './useMakeRequest';
import { useOpenDialog } from '../dialogs/openDialog';
import { ApiError } from '../session/api';
import { useApi } from '../session/apiClient';
import { lazyComponent } from '../states/lazyComponent';
import { formPath, useOpenForm } from '../navigation/useOpenForm';
import { useArchivedLeaders, type ActionBlocker } from './useArchivedLeaders';

// Lists come without the dialogs of MUI, which nothing else in them needs.
const ConfirmDialog = lazyComponent(() =>
  import('../dialogs/ConfirmDialog').then((module) => ({ default: module.ConfirmDialog })),
);
const BlockedActionDialog = lazyComponent(() =>
  import('./rareDialogs').then((module) => ({ default: module.BlockedActionDialog })),
);
const HandoverDialog = lazyComponent(() =>
  import('./rareDialogs').then((module) => ({ default: module.HandoverDialog })),
);

interface ListActions {
  run: (action: RowAction, record: ResourceRecord) => void;
  /** The address of what an action opens; undefined for one that does something. */
  pathOf: (action: RowAction, record: ResourceRecord) => string | undefined;
  /** The reason that blocks an action on a record, as far as it is known in advance. */
  blocker: (action: RowAction, record: ResourceRecord) => ActionBlocker | undefined;
}

interface ActionsWithDialogs extends ListActions {
  /** The confirmation dialogs of actions. */
  dialogs: ReactNode;
  /** One of these dialogs is open. */
  isAsking: boolean;
}

/** The actions of the rows and cards below. */
export const ActionsContext = createContext<ListActions>({
  run: () => {},
  pathOf: () => undefined,
  blocker: () => undefined,
});

/**
 * Returns a function that runs an action on a record of the surrounding list or page.
 *
 * @example const run = useRunAction(); // run(action, record)
 */
export function useRunAction(): ListActions['run'] {
  return use(ActionsContext).run;
}

/**
 * Returns a function that says what blocks an action on a record of the surrounding list.
 *
 * @example const reason = useActionBlocker()(action, record); // undefined: it may run
 */
export function useActionBlocker(): ListActions['blocker'] {
  return use(ActionsContext).blocker;
}

/** Actions that open a form are called as its mode. */
const formModes = ['edit', 'copy', 'view'] as const;

interface PendingAction {
  kind: 'delete' | 'unarchive';
  record: ResourceRecord;
}

/**
 * Row actions of a resource: navigation, requests, and deleting and restoring with their confirmations and toasts.
 * `onDone` is called when a record was deleted or restored.
 *
 * @example const { run, dialogs } = useActions(definition, records);
 */
export function useActions(
  definition: Definition,
  records: readonly RaRecord[] | undefined,
  onDone?: () => void,
): ActionsWithDialogs {
  const { registry } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const openDialog = useOpenDialog();
  const { open: openForm } = useOpenForm(definition);
  const navigate = useNavigate();
  const sayChanged = useChangeToast();
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const ask = useApi();
  const [pendingAction, setPendingAction] = useState<PendingAction | null>(null);
  const [open, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  const makeCall = useCall(definition);
  const makeRequest = useMakeRequest(definition);
  const leaderOf = useArchivedLeaders(definition, records);
  const [hindered, setHindered] = useState<ActionBlocker>();
  const findBlocker = useMemo<ListActions['blocker']>(
    () => (action, record) => (action.name === 'unarchive' ? leaderOf(record) : undefined),
    [leaderOf],
  );

  const pathOf = useMemo<ListActions['pathOf']>(
    () => (action, record) => {
      if (action.goTo) return goToPath(action, record, evaluationContext);
      if (action.screen) return screenPath(action, record);
      const isOther = action.calls ?? action.request ?? action.opens;
      const mode = formModes.find((name) => name === action.name);
      return mode && !isOther ? formPath(definition, mode, String(record.id)) : undefined;
    },
    [definition, evaluationContext],
  );
  const run = useMemo<ListActions['run']>(
    () => (action, record) => {
      const inTheWay = findBlocker(action, record);
      if (inTheWay) return setHindered(inTheWay);
      if (action.calls) return makeCall(action, record);
      if (action.goTo) return void navigate(goToPath(action, record, evaluationContext));
      if (action.screen) return void navigate(screenPath(action, record));
      if (action.name === 'delete' || action.name === 'unarchive') {
        setPendingAction({ kind: action.name, record });
        setRefusal(undefined);
        return setOpen(true);
      }
      const id = String(record.id);
      if (action.request) {
        const request = definition.requests[action.request];
        return request && makeRequest(request, record);
      }
      if (action.opens) {
        const target = registry.getOrThrow(action.opens.resource);
        const { values, initial } = action.opens;
        const presets = presetsFromRecord(target, values, { definition, record }, evaluationContext, initial);
        return openDialog({
          kind: 'form',
          definition: target,
          mode: 'create',
          preset: presets.record,
          fixedFields: presets.fixed,
        });
      }
      openForm(formModes.find((mode) => mode === action.name) ?? 'edit', id);
    },
    [definition, findBlocker, makeCall, makeRequest, navigate, openDialog, openForm, registry, evaluationContext],
  );

  const refreshLists = () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'getList' });
  const confirm = async (action: PendingAction, remove?: () => Promise<void>) => {
    setBusy(true);
    try {
      const { deleteOrRestore } = await import('./undoDelete');
      await deleteOrRestore(definition, { ...action, remove }, { ask, sayChanged, queryClient, dataProvider });
      setOpen(false);
      onDone?.();
      await refreshLists();
    } catch (error) {
      // Why the record cannot be unarchived is shown in the same dialog.
      if (error instanceof ApiError && error.code === 'CONFLICT_ARCHIVED') return setRefusal(error.message);
      setOpen(false);
      reportError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  const singular = definition.labels.one.toLowerCase();
  const isDeletion = pendingAction?.kind === 'delete';
  const Question = (isDeletion && definition.delete.keep ? HandoverDialog : ConfirmDialog) as typeof HandoverDialog;
  const dialogs = (
    <>
      {hindered && (
        <BlockedActionDialog definition={definition} blocker={hindered} onClose={() => setHindered(undefined)} />
      )}
      {pendingAction && (
        <Question
          open={open}
          definition={definition}
          record={pendingAction.record}
          title={isDeletion ? `Delete ${singular}?` : `Unarchive ${singular}?`}
          question={
            refusal ??
            (isDeletion
              ? deleteConfirmation(definition, pendingAction.record, evaluationContext)
              : (definition.archive?.confirmRestore ?? ''))
          }
          note={isDeletion && definition.delete.final && finalWords}
          confirmLabel={isDeletion ? 'Delete' : 'Unarchive'}
          destructive={isDeletion}
          isBusy={isBusy}
          onConfirm={(remove) => void confirm(pendingAction, remove)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
  return { run, pathOf, blocker: findBlocker, dialogs, isAsking: open || hindered !== undefined };
}
