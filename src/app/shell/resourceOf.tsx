import { Resource, type ResourceProps } from 'react-admin';
import type { ReactElement, ReactNode } from 'react';
import { matchPath, Navigate, Route, useLocation, useParams } from 'react-router-dom';
import { isGranted } from '../../engine/access/access-decision';
import type { Actor } from '../../engine/access/actor';
import type { Definition, Action } from '../../engine/definitions/definition';
import { pagePath } from '../../engine/lists/row-actions';
import type { FormMode } from '../../engine/forms/form-fields';
import type { Registry } from '../../engine/registry/registry';
import { resourceProps } from '../data/ResourcesProvider';
import { FormSkeleton } from '../form/FormSkeleton';
import { loadCards, loadGrid } from '../list/loadRecords';
import { lazyComponent, LoadingFallback, lazyScreen, preloadComponent } from '../states/lazyComponent';
import { NoAccess } from '../states/NoAccess';
import { phone } from '../theme/overrides';
import { useDefinitions } from '../data/DefinitionsContext';
import { ScreenBoundary } from '../states/ScreenBoundary';

const loadList = () => import('../list/ListScreen').then((module) => ({ default: module.ListScreen }));
const loadForm = () => import('../record/ResourceForm').then((module) => ({ default: module.ResourceForm }));
const loadDialog = () => import('../record/DialogRoute').then((module) => ({ default: module.DialogRoute }));
const ListScreen = lazyScreen(loadList);
const ResourceForm = lazyScreen(loadForm);
const DialogRoute = lazyComponent(loadDialog);
const HistoryScreen = lazyScreen(() =>
  import('../record/history/HistoryScreen').then((module) => ({ default: module.HistoryScreen })),
);
const RecordPage = lazyScreen(() => import('../record/RecordPage'));
const RecordTiles = lazyComponent(() => import('../screens/pages/RecordTiles'));

const formActions = {
  create: ['list', 'create'],
  copy: ['list', 'create'],
  edit: ['list', 'view', 'edit'],
  view: ['list', 'view', 'edit'],
} as const;

/**
 * A definition as react-admin's resource, with all its routes. Forms that are dialogs belong to the list's route, so that the list
 * stays while one is open over it; without access to the list they are pages.
 */
export function resourceOf(definition: Definition, actor: Actor): ReactElement<ResourceProps> {
  const { name } = definition;
  const isOverList = definition.form.dialog !== undefined && isGranted(actor, name, 'list');
  const pages = isOverList ? undefined : formsOf(definition);
  return (
    <Resource
      key={name}
      {...resourceProps(definition)}
      list={
        <RequireAccess definition={definition} actions={['list']}>
          <ListScreen
            definition={definition}
            formOver={isOverList ? (list) => <Resource {...{ name, ...formsOf(definition, list) }} /> : undefined}
          />
        </RequireAccess>
      }
      {...pages}
    >
      <Route path=":id/history" element={<About part={HistoryScreen} definition={definition} />} />
      <Route path=":id/page" element={<FormerPage definition={definition} />} />
      {definition.page && <Route path=":id/view" element={<About part={PageOfRecord} definition={definition} />} />}
      {pages?.children}
    </Resource>
  );
}

/** The routes of a definition's forms: as pages, or over the list whose path is given. */
function formsOf(definition: Definition, list?: string) {
  const form = (mode: FormMode) => <Form {...{ definition, mode, list }} />;
  return {
    create: form('create'),
    edit: form('edit'),
    show: form('view'),
    children: (
      <>
        <Route path="create/:id" element={form('copy')} />
        <Route path=":id/edit" element={form('edit')} />
        {!definition.page && <Route path=":id/view" element={form('view')} />}
        {[':id/:part/*', ':id/show/:part/*', 'create/:id/:part/*'].map((path) => (
          <Route key={path} path={path} element={<NoAccess />} />
        ))}
      </>
    ),
  };
}

interface FormProps {
  definition: Definition;
  mode: FormMode;
  /** The path of the list beneath, with its query. */
  list: string | undefined;
}

function Form({ definition, mode, list }: FormProps) {
  const { id } = useParams();
  const key = `${mode}/${id ?? ''}`;
  if (list !== undefined) return <DialogRoute key={key} {...{ definition, mode, id, list }} />;
  return (
    <RequireAccess definition={definition} actions={formActions[mode]}>
      <LoadingFallback fallback={<FormSkeleton {...{ definition, mode }} />}>
        <ResourceForm key={key} {...{ definition, mode, id }} />
      </LoadingFallback>
    </RequireAccess>
  );
}

/** The former address of a record's page; without a page it leads to the form. */
function FormerPage({ definition: { name, page } }: { definition: Definition }) {
  const { id } = useParams();
  const { search, hash, state } = useLocation();
  const path = page ? pagePath(name, id) : `/${name}/${String(id)}`;
  return <Navigate to={`${path}${search}${hash}`} state={state as unknown} replace />;
}

function PageOfRecord(props: { definition: Definition; id: string }) {
  return <RecordPage {...props} home={RecordTiles} />;
}

interface AboutProps {
  definition: Definition;
  part: typeof HistoryScreen;
}

/** A screen about a stored record, besides its form. */
function About({ definition, part: Part }: AboutProps) {
  const { id = '' } = useParams();
  return (
    <RequireAccess definition={definition} actions={formActions.view}>
      <Part key={id} {...{ definition, id }} />
    </RequireAccess>
  );
}

const isPhone = () => window.matchMedia?.(phone.replace('@media ', '')).matches ?? false;

/** Starts to load the code of the list or form at a path. */
export async function preloadResource(path: string): Promise<void> {
  if (matchPath(':resource', path))
    await Promise.all([
      preloadComponent(loadList),
      isPhone() ? preloadComponent(loadCards) : preloadComponent(loadGrid),
    ]);
  else if (matchPath(':resource/:id', path)) await preloadComponent(loadForm);
}

/** Starts to load the code of forms over their list, besides that of forms. */
export async function preloadDialog(): Promise<void> {
  await preloadComponent(loadDialog);
}

/** Whether the form at a path is a dialog over its list. */
export function isFormOverList(path: string, registry: Registry): boolean {
  const isForm = [':resource/:id', ':resource/create/:id', ':resource/:id/view'].some((form) => matchPath(form, path));
  const { resource = '' } = matchPath(':resource/*', path)?.params ?? {};
  return isForm && Boolean(registry.get(resource)?.form.dialog);
}

interface RequireAccessProps {
  definition: Definition;
  /** The actor needs at least one of these. */
  actions: readonly Action[];
  children: ReactNode;
}

/** Shows a resource's screen to users with one of the grants, and redirects everybody else to the home page. */
function RequireAccess({ definition, actions, children }: RequireAccessProps) {
  const { actor } = useDefinitions();
  const isAllowed = actions.some((action) => isGranted(actor, definition.name, action));
  return isAllowed ? <ScreenBoundary>{children}</ScreenBoundary> : <NoAccess label={definition.labels.many} />;
}
