import { useCallback, useMemo, useState, type ComponentType } from 'react';
import { generatePath, matchPath, Navigate, Route, Routes, useLocation, useParams } from 'react-router-dom';
import { isGranted } from '../../engine/access/access-decision';
import type { Registry } from '../../engine/registry/registry';
import { FormSkeleton } from '../form/FormSkeleton';
import { loadCards, loadGrid } from '../list/loadRecords';
import { SkeletonRows } from '../states/SkeletonRows';
import { phone } from '../theme/overrides';
import { preloadOfflineBar } from './ConnectionLostBar';
import { usePathTracking } from '../preferences/previousPath';
import { homePath, type Alias, type CustomScreen } from '../product';
import { useDefinitions } from '../data/DefinitionsContext';
import { RequireAccess } from './RequireAccess';
import { Prefetch } from './Prefetch';
import { NoAccess } from '../states/NoAccess';
import { ScreenBoundary } from '../states/ScreenBoundary';
import { lazyComponent, LoadingFallback, preloadComponent } from '../states/lazyComponent';

const loadList = () => import('../list/ListScreen').then((module) => ({ default: module.ListScreen }));
const loadForm = () => import('../record/ResourceForm').then((module) => ({ default: module.ResourceForm }));
/** The forms that are dialogs over their lists. */
const loadFormRoute = () => import('../record/DialogRoute').then((module) => ({ default: module.DialogRoute }));
const HomeRoute = lazyComponent(() => import('./home/HomeRoute').then((module) => ({ default: module.HomeRoute })));
const ListScreen = lazyComponent(loadList);
const AboutRecord = lazyComponent(() => import('../record/AboutRecord'));
const ResourceForm = lazyComponent(loadForm);
const FormRoute = lazyComponent(loadFormRoute);

/** Not a page: what is shown without a connection, when nothing can be loaded any more. */
const withoutConnection = '#offline';
/** Not a page of its own: what a form over its list needs besides that of a page. */
const overList = '#form';
/** The pages that users open most, preloaded from anywhere. */
const likelyPaths = (): readonly string[] => ['/any/1', '/any', homePath(), overList, withoutConnection];

const isPhone = () => window.matchMedia?.(phone.replace('@media ', '')).matches ?? false;

/** Starts to load the code of the screen at a path, before it is known whether the user has access. */
export async function preloadScreen(path: string, screens: readonly CustomScreen[]): Promise<void> {
  const bespoke = screens.find((screen) => matchPath(screen.path, path === '/' ? homePath() : path));
  if (bespoke) await preloadComponent(bespoke.load);
  else if (matchPath(':resource', path))
    await Promise.all([
      preloadComponent(loadList),
      isPhone() ? preloadComponent(loadCards) : preloadComponent(loadGrid),
    ]);
  else if (matchPath(':resource/:id', path)) await preloadComponent(loadForm);
}

function isFormOverList(path: string, registry: Registry): boolean {
  const { resource = '' } = matchPath(':resource/:id/*', path)?.params ?? {};
  return Boolean(registry.get(resource)?.form.dialog);
}

/** All routes behind sign-in: the custom screens, then list and forms of every definition. */
export function AdminRoutes({ screens, aliases }: { screens: readonly CustomScreen[]; aliases: readonly Alias[] }) {
  const definitions = useDefinitions();
  usePathTracking();
  const load = useCallback(
    async (path: string) => {
      if (path === withoutConnection) await preloadOfflineBar();
      else if (path === overList || isFormOverList(path, definitions.registry)) await preloadComponent(loadFormRoute);
      else await preloadScreen(path, screens);
    },
    [screens, definitions.registry],
  );
  const [prefetchPaths] = useState(likelyPaths);
  const lazies = useMemo(() => new Map(screens.map(({ path, load }) => [path, lazyComponent(load)])), [screens]);
  return (
    <LoadingFallback fallback={<SkeletonRows />}>
      <Prefetch likelyPaths={prefetchPaths} load={load} />
      <Routes>
        <Route index element={<Screen part={HomeRoute} />} />
        {screens.map(({ path, allowed: isAllowed, menu }) => (
          <Route
            key={path}
            path={path}
            element={
              isAllowed?.(definitions) === false ? (
                <NoAccess label={menu?.label ?? 'this page'} />
              ) : (
                <Screen part={lazies.get(path)!} />
              )
            }
          />
        ))}
        {aliases.map(({ path, to: target }) => (
          <Route key={path} path={path} element={<AliasRedirect to={target} />} />
        ))}
        {/* One component for all, so that the list stays while a form is opened over it. */}
        <Route path=":resource" element={<Module />} />
        <Route path=":resource/create" element={<Module mode="create" />} />
        <Route path=":resource/create/:id" element={<Module mode="copy" />} />
        <Route path=":resource/:id" element={<Module mode="edit" />} />
        <Route path=":resource/:id/edit" element={<Module mode="edit" />} />
        <Route path=":resource/:id/view" element={<Module mode="view" />} />
        {/* The address of react-admin's links to it. */}
        <Route path=":resource/:id/show" element={<Module mode="view" />} />
        <Route path=":resource/:id/history" element={<About part="history" />} />
        <Route path=":resource/:id/page" element={<About part="page" />} />
        <Route path="*" element={<NoAccess />} />
      </Routes>
    </LoadingFallback>
  );
}

/** Redirects an alias to its target, keeping query and fragment. */
function AliasRedirect({ to: target }: Pick<Alias, 'to'>) {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: generatePath(target, useParams()), search, hash }} replace />;
}

function Screen({ part: Part }: { part: ComponentType }) {
  return (
    <ScreenBoundary>
      <Part />
    </ScreenBoundary>
  );
}

const requiredActions = {
  create: ['list', 'create'],
  copy: ['list', 'create'],
  edit: ['list', 'view', 'edit'],
  view: ['list', 'view', 'edit'],
} as const;

/** The list of a module, or the form of one of its records: as a page, or over the list. */
function Module({ mode }: { mode?: keyof typeof requiredActions }) {
  const { actor } = useDefinitions();
  const { resource = '', id } = useParams();
  return (
    <RequireAccess resource={resource} actions={mode ? requiredActions[mode] : ['list']}>
      {(definition) =>
        // Without access to the list there is none that the form could be over.
        mode && !(definition.form.dialog && isGranted(actor, resource, 'list')) ? (
          <LoadingFallback fallback={<FormSkeleton {...{ definition, mode }} />}>
            <ResourceForm key={`${resource}/${mode}/${id ?? ''}`} definition={definition} mode={mode} id={id} />
          </LoadingFallback>
        ) : (
          <ListScreen
            key={resource}
            definition={definition}
            formOver={mode && ((list) => <FormRoute key={`${mode}/${id ?? ''}`} {...{ definition, mode, id, list }} />)}
          />
        )
      }
    </RequireAccess>
  );
}

function About({ part }: { part: 'history' | 'page' }) {
  const { resource = '', id = '' } = useParams();
  return (
    <RequireAccess resource={resource} actions={requiredActions.view}>
      {(definition) => <AboutRecord key={id} {...{ definition, id, part }} />}
    </RequireAccess>
  );
}
