import { useGetList } from 'react-admin';
import { Navigate } from 'react-router-dom';
import { isGranted } from '../../../engine/access/access-decision';
import { useDefinitions } from '../../data/DefinitionsContext';
import { homePath } from '../../product';
import type { StoredPage } from '../../screens/pages/storedPage';
import { lazyComponent } from '../../states/lazyComponent';
import { SkeletonRows } from '../../states/SkeletonRows';

const HomeScreen = lazyComponent(() => import('./HomeScreen').then((module) => ({ default: module.HomeScreen })));
const PageOfTiles = lazyComponent(() =>
  import('../../screens/pages/PageOfTiles').then((module) => ({ default: module.PageOfTiles })),
);

const audiences = ['everyone', 'role', 'me'];
const fewPages = { page: 1, perPage: 60 };

/**
 * Where one begins: the page that is the home page of oneself, of one's role or of everyone, in this order; otherwise
 * that of the product.
 */
export function HomeRoute() {
  const { registry, actor } = useDefinitions();
  const enabled =
    registry.get('pages') !== undefined && isGranted(actor, 'pages', 'view') && isGranted(actor, 'pages', 'list');
  const { data, isPending } = useGetList<StoredPage>(
    'pages',
    { pagination: fewPages, sort: { field: 'updated_at', order: 'DESC' }, filter: { is_home: true } },
    { enabled, retry: false, meta: { quiet: true } },
  );
  if (enabled && isPending) return <SkeletonRows />;
  const rank = ({ audience }: StoredPage) => audiences.indexOf(audience);
  const [first] = [...(data ?? [])].sort((first, second) => rank(second) - rank(first));
  if (first) return <PageOfTiles id={first.id} />;
  return homePath() === '/' ? <HomeScreen /> : <Navigate to={homePath()} replace />;
}
