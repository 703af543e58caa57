import { PartForm } from '../properties/PartForm';

/** Properties of the page of a record: what is shown where, and what its stream tells of. */
export function PagePanel() {
  return <PartForm pointer="" keys={['page']} />;
}
