import { useParams } from 'react-router-dom';
import { NoAccess } from '../../states/NoAccess';
import { PageOfTiles } from './PageOfTiles';

/** A page that somebody put together, by the id in the address. */
export default function PageScreen() {
  const { id = '' } = useParams();
  return /^\d{1,9}$/.test(id) ? <PageOfTiles key={id} id={Number(id)} /> : <NoAccess />;
}
