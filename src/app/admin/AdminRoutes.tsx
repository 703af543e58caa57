import { useCallback, useMemo, type ComponentType } from 'react';
import { generatePath, matchPath, Navigate, Route, Routes, useLocation, useParams } from 'react-router';
import { FormSkeleton } from '../form/FormSkeleton';
import { loadGrid } from '../list/gridPart';
import { SkeletonRows } from '../states/SkeletonRows';
import { useTrail } from '../preferences/trail';
import type { Alias, CustomScreen } from './CustomScreen';
import { useDefinitions } from './DefinitionsContext';
import { Guarded } from './Guarded';
import { homePath } from './menu';
import { Prefetch } from './Prefetch';
import { Refused } from './Refused';
import { ScreenBoundary } from './ScreenBoundary';
import { lazyPart, Meanwhile, preloadPart } from '../states/lazyPart';

const loadList = () => import('../list/ListScreen').then((module) => ({ default: module.ListScreen }));
const loadForm = () => import('../form/ResourceForm').then((module) => ({ default: module.ResourceForm }));
const HomeScreen = lazyPart(() => import('../home/HomeScreen').then((module) => ({ default: module.HomeScreen })));
const ListScreen = lazyPart(loadList);
const DialogRoute = lazyPart(() => import('../form/DialogRoute').then((module) => ({ default: module.DialogRoute })));
const HistoryScreen = lazyPart(() =>
  import('../history/HistoryScreen').then((module) => ({ default: module.HistoryScreen })),
);
const ResourceForm = lazyPart(loadForm);

/** Paths that sign-in leads to. They show the home screen unless a custom screen takes the path. */
const landings = [homePath, '/flow-setup-steps'];

/** The pages that users open most, preloaded from anywhere. */
const likely: readonly string[] = ['/any/1', '/any', homePath];

/** Starts to load the code of the screen at a path, before it is known whether the user has access. */
export async function preloadScreen(path: string, screens: readonly CustomScreen[]): Promise<void> {
  const bespoke = screens.find((screen) => matchPath(screen.path, path));
  if (bespoke) await preloadPart(bespoke.load);
  else if (matchPath(':resource', path)) await Promise.all([preloadPart(loadList), preloadPart(loadGrid)]);
  else if (matchPath(':resource/:id', path)) await preloadPart(loadForm);
}

/** All routes behind sign-in: the custom screens, then list and forms of every definition. */
export function AdminRoutes({ screens, aliases }: { screens: readonly CustomScreen[]; aliases: readonly Alias[] }) {
  const definitions = useDefinitions();
  useTrail();
  const load = useCallback((path: string) => preloadScreen(path, screens), [screens]);
  const lazies = useMemo(() => new Map(screens.map(({ path, load }) => [path, lazyPart(load)])), [screens]);
  return (
    <Meanwhile fallback={<SkeletonRows />}>
      <Prefetch likely={likely} load={load} />
      <Routes>
        <Route index element={<Navigate to={homePath} replace />} />
        {screens.map(({ path, allowed, menu }) => (
          <Route
            key={path}
            path={path}
            element={
              allowed?.(definitions) === false ? (
                <Refused label={menu?.label ?? 'this page'} />
              ) : (
                <Screen part={lazies.get(path)!} />
              )
            }
          />
        ))}
        {aliases.map(({ path, to }) => (
          <Route key={path} path={path} element={<Elsewhere to={to} />} />
        ))}
        {landings
          .filter((path) => !lazies.has(path))
          .map((path) => (
            <Route key={path} path={path} element={<Screen part={HomeScreen} />} />
          ))}
        <Route path=":resource" element={<List />} />
        <Route path=":resource/create" element={<Form mode="create" />} />
        <Route path=":resource/create/:id" element={<Form mode="copy" />} />
        <Route path=":resource/:id" element={<Form mode="edit" />} />
        <Route path=":resource/:id/edit" element={<Form mode="edit" />} />
        <Route path=":resource/:id/view" element={<Form mode="view" />} />
        <Route path=":resource/:id/history" element={<History />} />
        <Route path="*" element={<Refused />} />
      </Routes>
    </Meanwhile>
  );
}

/** Redirects an alias to its target, keeping query and fragment. */
function Elsewhere({ to }: Pick<Alias, 'to'>) {
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
    <Guarded resource={resource} actions={['list']}>
      {(definition) => <ListScreen key={resource} definition={definition} />}
    </Guarded>
  );
}

const needed = {
  create: ['list', 'create'],
  copy: ['list', 'create'],
  edit: ['list', 'view', 'edit'],
  view: ['list', 'view', 'edit'],
} as const;

function Form({ mode }: { mode: keyof typeof needed }) {
  const { resource = '', id } = useParams();
  return (
    <Guarded resource={resource} actions={needed[mode]}>
      {(definition) =>
        definition.form.dialog ? (
          <DialogRoute definition={definition} mode={mode} id={id} />
        ) : (
          <Meanwhile fallback={<FormSkeleton {...{ definition, mode }} />}>
            <ResourceForm key={`${resource}/${mode}/${id ?? ''}`} definition={definition} mode={mode} id={id} />
          </Meanwhile>
        )
      }
    </Guarded>
  );
}

function History() {
  const { resource = '', id = '' } = useParams();
  return (
    <Guarded resource={resource} actions={needed.view}>
      {(definition) => <HistoryScreen key={id} definition={definition} id={id} />}
    </Guarded>
  );
}
