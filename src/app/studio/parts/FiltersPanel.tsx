import { PartForm } from '../properties/PartForm';

/** The filters of the list in their order. */
export function FiltersPanel() {
  return <PartForm pointer="/list" keys={['filters']} />;
}
