import { useCallback, useMemo, useState, type ComponentType } from 'react';
import { generatePath, matchPath, Navigate, Route, Routes, useLocation, useParams } from 'react-router';
import { FormSkeleton } from '../form/FormSkeleton';
import { loadGrid } from '../list/loadGrid';
import { SkeletonRows } from '../states/SkeletonRows';
import { preloadOfflineBar } from '../layout/ConnectionLostBar';
import { usePathTracking } from '../preferences/previousPath';
import { homePath } from '../product';
import type { Alias, CustomScreen } from './CustomScreen';
import { useDefinitions } from './DefinitionsContext';
import { RequireAccess } from './RequireAccess';
import { Prefetch } from './Prefetch';
import { NoAccess } from './NoAccess';
import { ScreenBoundary } from './ScreenBoundary';
import { lazyComponent, LoadingFallback, preloadComponent } from '../states/lazyComponent';

const loadList = () => import('../list/ListScreen').then((module) => ({ default: module.ListScreen }));
const loadForm = () => import('../form/ResourceForm').then((module) => ({ default: module.ResourceForm }));
const HomeRoute = lazyComponent(() =>
  import('../screens/pages/HomeRoute').then((module) => ({ default: module.HomeRoute })),
);
const ListScreen = lazyComponent(loadList);
const DialogRoute = lazyComponent(() =>
  import('../form/DialogRoute').then((module) => ({ default: module.DialogRoute })),
);
const AboutRecord = lazyComponent(() => import('../record/AboutRecord'));
const ResourceForm = lazyComponent(loadForm);

/** Not a page: what is shown without a connection, when nothing can be loaded any more. */
const withoutConnection = '#offline';
/** The pages that users open most, preloaded from anywhere. */
const likelyPaths = (): readonly string[] => ['/any/1', '/any', homePath(), withoutConnection];

/** Starts to load the code of the screen at a path, before it is known whether the user has access. */
export async function preloadScreen(path: string, screens: readonly CustomScreen[]): Promise<void> {
  const bespoke = screens.find((screen) => matchPath(screen.path, path === '/' ? homePath() : path));
  if (bespoke) await preloadComponent(bespoke.load);
  else if (matchPath(':resource', path)) await Promise.all([preloadComponent(loadList), preloadComponent(loadGrid)]);
  else if (matchPath(':resource/:id', path)) await preloadComponent(loadForm);
}

/** All routes behind sign-in: the custom screens, then list and forms of every definition. */
export function AdminRoutes({ screens, aliases }: { screens: readonly CustomScreen[]; aliases: readonly Alias[] }) {
  const definitions = useDefinitions();
  usePathTracking();
  const load = useCallback(
    (path: string) => (path === withoutConnection ? preloadOfflineBar() : preloadScreen(path, screens)),
    [screens],
  );
  const [likely] = useState(likelyPaths);
  const lazies = useMemo(() => new Map(screens.map(({ path, load }) => [path, lazyComponent(load)])), [screens]);
  return (
    <LoadingFallback fallback={<SkeletonRows />}>
      <Prefetch likely={likely} load={load} />
      <Routes>
        <Route index element={<Screen part={HomeRoute} />} />
        {screens.map(({ path, allowed, menu }) => (
          <Route
            key={path}
            path={path}
            element={
              allowed?.(definitions) === false ? (
                <NoAccess label={menu?.label ?? 'this page'} />
              ) : (
                <Screen part={lazies.get(path)!} />
              )
            }
          />
        ))}
        {aliases.map(({ path, to }) => (
          <Route key={path} path={path} element={<AliasRedirect to={to} />} />
        ))}
        <Route path=":resource" element={<List />} />
        <Route path=":resource/create" element={<Form mode="create" />} />
        <Route path=":resource/create/:id" element={<Form mode="copy" />} />
        <Route path=":resource/:id" element={<Form mode="edit" />} />
        <Route path=":resource/:id/edit" element={<Form mode="edit" />} />
        <Route path=":resource/:id/view" element={<Form mode="view" />} />
        <Route path=":resource/:id/history" element={<About part="history" />} />
        <Route path=":resource/:id/page" element={<About part="page" />} />
        <Route path="*" element={<NoAccess />} />
      </Routes>
    </LoadingFallback>
  );
}

/** Redirects an alias to its target, keeping query and fragment. */
function AliasRedirect({ to }: Pick<Alias, 'to'>) {
  const { search, hash } = useLocation();
  return <Navigate to={{ pathname: generatePath(to, useParams()), search, hash }} replace />;
}

function Screen({ part: Part }: { part: ComponentType }) {
  return (
    <ScreenBoundary>
      <Part />
    </ScreenBoundary>
  );
}

function List() {
  const { resource = '' } = useParams();
  return (
    <RequireAccess resource={resource} actions={['list']}>
      {(definition) => <ListScreen key={resource} definition={definition} />}
    </RequireAccess>
  );
}

const requiredActions = {
  create: ['list', 'create'],
  copy: ['list', 'create'],
  edit: ['list', 'view', 'edit'],
  view: ['list', 'view', 'edit'],
} as const;

function Form({ mode }: { mode: keyof typeof requiredActions }) {
  const { resource = '', id } = useParams();
  return (
    <RequireAccess resource={resource} actions={requiredActions[mode]}>
      {(definition) =>
        definition.form.dialog ? (
          <DialogRoute definition={definition} mode={mode} id={id} />
        ) : (
          <LoadingFallback fallback={<FormSkeleton {...{ definition, mode }} />}>
            <ResourceForm key={`${resource}/${mode}/${id ?? ''}`} definition={definition} mode={mode} id={id} />
          </LoadingFallback>
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
