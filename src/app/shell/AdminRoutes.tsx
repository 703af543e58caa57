import { useCallback, useMemo, useState, type ComponentType } from 'react';
import { generatePath, matchPath, Navigate, Route, Routes, useLocation, useParams } from 'react-router-dom';
import { getOrThrow } from '../../engine/values/lookups';
import { SkeletonRows } from '../states/SkeletonRows';
import { preloadOfflineBar } from './ConnectionLostBar';
import { usePathTracking } from '../preferences/previousPath';
import { homePath, type Alias, type CustomScreen } from '../product';
import { useDefinitions } from '../data/DefinitionsContext';
import { Prefetch } from './Prefetch';
import { isFormOverList, preloadDialog, preloadResource, resourceOf } from './resourceOf';
import { NoAccess } from '../states/NoAccess';
import { ScreenBoundary } from '../states/ScreenBoundary';
import { LoadingFallback, lazyScreen, preloadComponent } from '../states/lazyComponent';

const HomeRoute = lazyScreen(() => import('./home/HomeRoute').then((module) => ({ default: module.HomeRoute })));

/** Not a page: what is shown without a connection, when nothing can be loaded any more. */
const withoutConnection = '#offline';
/** Not a page of its own: what a form over its list needs besides that of a page. */
const overList = '#form';
/** The pages that users open most, preloaded from anywhere. */
const likelyPaths = (): readonly string[] => ['/any/1', '/any', homePath(), overList, withoutConnection];

/** Starts to load the code of the screen at a path, before it is known whether the user has access. */
export async function preloadScreen(path: string, screens: readonly CustomScreen[]): Promise<void> {
  const bespoke = screens.find((screen) => matchPath(screen.path, path === '/' ? homePath() : path));
  if (bespoke) await preloadComponent(bespoke.load);
  else await preloadResource(path);
}

/** All routes behind sign-in: the custom screens, then those of every definition. */
export function AdminRoutes({ screens, aliases }: { screens: readonly CustomScreen[]; aliases: readonly Alias[] }) {
  const definitions = useDefinitions();
  const { registry, actor } = definitions;
  usePathTracking();
  const load = useCallback(
    async (path: string) => {
      if (path === withoutConnection) await preloadOfflineBar();
      else if (path === overList || isFormOverList(path, registry)) await preloadDialog();
      else await preloadScreen(path, screens);
    },
    [screens, registry],
  );
  const [prefetchPaths] = useState(likelyPaths);
  const lazies = useMemo(() => new Map(screens.map(({ path, load }) => [path, lazyScreen(load)])), [screens]);
  // Who may not open a screen in place of a generated form has the form.
  const offeredScreens = screens.filter(({ path, allowed: isAllowed }) => {
    const [, name = '', part] = path.split('/');
    return part !== 'create' || !registry.get(name) || isAllowed?.(definitions) !== false;
  });
  const resources = useMemo(
    () => [...registry.definitions.values()].map((definition) => resourceOf(definition, actor)),
    [actor, registry],
  );
  return (
    <LoadingFallback fallback={<SkeletonRows />}>
      <Prefetch likelyPaths={prefetchPaths} load={load} />
      <Routes>
        <Route index element={<Screen part={HomeRoute} />} />
        {offeredScreens.map(({ path, allowed: isAllowed, menu }) => (
          <Route
            key={path}
            path={path}
            element={
              isAllowed?.(definitions) === false ? (
                <NoAccess label={menu?.label ?? 'this page'} />
              ) : (
                <Screen part={getOrThrow(lazies, path)} />
              )
            }
          />
        ))}
        {aliases.map(({ path, to: target }) => (
          <Route key={path} path={path} element={<AliasRedirect to={target} />} />
        ))}
        {resources.map((resource) => (
          <Route key={resource.key} caseSensitive path={`${resource.props.name}/*`} element={resource} />
        ))}
        <Route path="*" element={<UnknownPath />} />
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

function UnknownPath() {
  const { pathname } = useLocation();
  return <NoAccess mayBeModule={matchPath(':resource/:id?/:part?', pathname) !== null} />;
}
