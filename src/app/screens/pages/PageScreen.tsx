import { useParams } from 'react-router-dom';
import { parseId } from '../../../engine/field-types/relation';
import { NoAccess } from '../../states/NoAccess';
import { PageOfTiles } from './PageOfTiles';

/** A page that somebody put together, by the id in the address. */
export default function PageScreen() {
  const id = parseId(useParams().id ?? '');
  return id === undefined ? <NoAccess /> : <PageOfTiles key={id} id={id} />;
}
