import { WebLink } from './WebLink';
import type { SharedFacets } from '../fieldType';

function Value({ text }: { text: string }) {
  return <WebLink url={text} />;
}

export default { Value } satisfies SharedFacets;
