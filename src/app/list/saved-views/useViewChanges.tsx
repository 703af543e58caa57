import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useDataProvider, useNotify } from 'react-admin';
import { realUser } from '../../../engine/access/actor';
import { isAllowedOnRecord } from '../../../engine/access/access-decision';
import type { Definition, ViewSettings } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { reportError } from '../../data/ErrorToasts';
import { copyText } from '../../fields/shareLink/shareUrl';
import { rememberViews } from '../../preferences/knownViews';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { useChangeToast } from '../../commands/useChangeToast';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { type SavedView, viewError } from './useSavedViews';

interface ViewChangesInput {
  definition: Definition;
  /** The settings of a view of the list as it is shown. */
  settings: ViewSettings;
  openOne: (view: BarView) => void;
  /** Shows the list without the view. */
  leave: () => void;
  /** The view that the user chose to open first. */
  chosenKey: string | undefined;
}

/** The actions on a saved view. */
export interface ViewChanges {
  mayEdit: (view: SavedView) => boolean;
  mayDelete: (view: SavedView) => boolean;
  /** Whether this window stored the view as it is. */
  isOwn: (view: SavedView) => boolean;
  /** Stores the list as it is shown in the view; can be taken back. */
  update: (view: SavedView) => void;
  /** Changes other values of a view; `words` say what was done. */
  set: (view: SavedView, values: Partial<SavedView>, words: string) => void;
  remove: (view: SavedView) => void;
  copyLink: (view: BarView) => void;
  /** Whether the user can choose it as the view with which the list opens for them alone. */
  mayChoose: (view: BarView) => boolean;
  /** The list opens with it for the user alone, or as it does for everybody. */
  choose: (view: BarView, isChosen: boolean) => void;
}

/** Returns what can be done with saved views. */
export function useViewChanges({ definition, settings, openOne, leave, chosenKey }: ViewChangesInput): ViewChanges {
  const { registry, actor } = useDefinitions();
  const viewDefinition = registry.get('views');
  const evaluationContext = useEvaluationContext(viewDefinition);
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const say = useChangeToast();
  const ask = useApi();
  const ownVersions = useRef(new Set<unknown>());
  const permissionFor = (action: 'edit' | 'delete') => (view: SavedView) =>
    viewDefinition !== undefined && isAllowedOnRecord(actor, viewDefinition, action, view, evaluationContext);

  /** The list opens with it at once, also if the page is left before the views are read again. */
  const opensFirst = (view: string) => rememberViews(realUser(actor).id, definition.name, view);

  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      reportError(viewError(error as Error));
    } finally {
      await refreshAfterSaving(queryClient, 'views');
    }
  };
  const store = (view: SavedView, data: Partial<SavedView>, words: string, isUndo = false) =>
    attempt(async () => {
      const { data: next } = await dataProvider.update<SavedView>('views', {
        id: view.id,
        data: { ...data, updated_at: view.updated_at },
        previousData: view,
      });
      ownVersions.current.add(next.updated_at);
      if (data.opens_first && view.audience === 'me') opensFirst(String(view.id));
      const previousValues = Object.fromEntries(Object.keys(data).map((key) => [key, view[key] as unknown]));
      say(words, isUndo ? undefined : () => void store(next, previousValues, `Taken back: ${words}`, true));
    });
  const storeChoice = (view: string | null) =>
    fetchApi('/first-view', { method: 'PUT', json: { name: definition.name, view } }, ask);
  const choose = (view: string | null, words: string, previousChoice?: string | null) =>
    attempt(async () => {
      await storeChoice(view);
      if (view !== null) opensFirst(view);
      const back = previousChoice === undefined ? undefined : () => void choose(previousChoice, `Taken back: ${words}`);
      say(words, back);
    });
  return {
    mayEdit: permissionFor('edit'),
    mayDelete: permissionFor('delete'),
    isOwn: ({ updated_at }) => ownVersions.current.has(updated_at),
    update: (view) => void store(view, { settings }, `View ${view.name} updated`),
    set: (view, values, words) =>
      void store(view, values, words).then(() => {
        // The last choice counts.
        if (values.opens_first && view.audience === 'me' && chosenKey !== undefined)
          return attempt(async () => void (await storeChoice(null)));
      }),
    mayChoose: ({ record }) => !actor.viewer && record?.audience !== 'me',
    choose: ({ key, label }, isChosen) =>
      void choose(
        isChosen ? key : null,
        isChosen ? `The list opens with ${label} for you` : `The list no longer opens with ${label} for you`,
        chosenKey ?? null,
      ),
    remove: (view) =>
      void attempt(async () => {
        await dataProvider.delete<SavedView>('views', { id: view.id, previousData: view });
        leave();
        say(`View ${view.name} deleted`, () => {
          void attempt(async () => {
            const json = { ids: [view.id] };
            const {
              data: [data],
            } = await fetchApi<{ data: [SavedView] }>('/views/restore', { method: 'POST', json }, ask);
            openOne({ key: String(data.id), label: data.name, settings: data.settings, record: data });
            say(`View ${view.name} is back`);
          });
        });
      }),
    copyLink: ({ key, label }) => {
      const link = new URL(`/${definition.name}?view=${key}`, window.location.origin);
      void copyText(link.href).then((isCopied) => {
        if (isCopied) say(`Link to view ${label} copied`);
        else notify(`The browser did not copy the link: ${link.href}`, { type: 'warning' });
      });
    },
  };
}

/** A view in the bar: saved by somebody, or of the definition. */
export interface BarView {
  /** As addresses name it. */
  readonly key: string;
  readonly label: string;
  readonly settings: SavedView['settings'];
  /** Undefined for one of the definition. */
  readonly record?: SavedView;
}
