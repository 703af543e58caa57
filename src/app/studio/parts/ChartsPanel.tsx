import { PartForm } from '../properties/PartForm';

/** The charts above the list: of what kind, by which fields, and which number. */
export function ChartsPanel() {
  return <PartForm pointer="/list" keys={['charts']} />;
}
